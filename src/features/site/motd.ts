// A game server's message of the day, with its colours and styles as classes: the policy of pages
// allows no inline styles.
import { type MotdRun, parseMotd } from '../servers/index.ts'
import type { StyledText } from './components/types.ts'

/** Minecraft's sixteen colours, as the game shows them on a dark background. */
const COLORS = {
  black: 0x000000,
  dark_blue: 0x0000aa,
  dark_green: 0x00aa00,
  dark_aqua: 0x00aaaa,
  dark_red: 0xaa0000,
  dark_purple: 0xaa00aa,
  gold: 0xffaa00,
  gray: 0xaaaaaa,
  dark_gray: 0x555555,
  blue: 0x5555ff,
  green: 0x55ff55,
  aqua: 0x55ffff,
  red: 0xff5555,
  light_purple: 0xff55ff,
  yellow: 0xffff55,
  white: 0xffffff,
}
const NAMES = Object.keys(COLORS) as (keyof typeof COLORS)[]
const STYLES = ['bold', 'italic', 'underlined', 'strikethrough'] as const

/** @param motd with formatting codes */
export const styledMotd = (motd: string): StyledText[] =>
  parseMotd(motd).map((run) => ({ text: run.text, classes: classesOf(run) }))

/** Obfuscated text, which the game scrambles, stays readable. */
function classesOf(run: MotdRun): string {
  const styles = STYLES.filter((style) => run[style]).map((style) => `motd-${style}`)
  return [...(run.color ? [`motd-${nameOf(run.color)}`] : []), ...styles].join(' ')
}

/** The name of a colour; of one without a name, the nearest of the sixteen. */
function nameOf(color: string): string {
  if (!color.startsWith('#')) return color
  const wanted = channelsOf(Number.parseInt(color.slice(1), 16))
  const distanceTo = (name: keyof typeof COLORS) =>
    channelsOf(COLORS[name]).reduce((sum, channel, n) => sum + (channel - (wanted[n] ?? 0)) ** 2, 0)
  return NAMES.reduce((best, name) => (distanceTo(name) < distanceTo(best) ? name : best))
}

const channelsOf = (rgb: number): number[] => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]
