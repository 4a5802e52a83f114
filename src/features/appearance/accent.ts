// The accent colour of the site in both themes: the given one, made darker or lighter until people can read it
// (docs/decisions/0072-appearance.md).
import { createHash } from 'node:crypto'
import { type Color, contrastOf, fromOklch, toOklch } from './colors.ts'

/** Minimum contrast of text (WCAG 2.2, 1.4.3). Borders and focus rings need 3. */
const READABLE = 4.5
const STEP = 0.005

export interface AccentColors {
  /** Colour of links, borders and buttons. */
  accent: Color
  /** Background of selected elements. */
  soft: Color
  /** Text on a button. */
  onAccent: Color
}

interface Theme {
  /**
   * The backgrounds of the accent in addition to its soft variant: `--ground`, `--card` and `--sunk` (css/base.css).
   */
  surfaces: readonly Color[]
  soft: { l: number; c: number }
  onAccent: Color
  direction: 1 | -1
}

export const THEMES: Record<'light' | 'dark', Theme> = {
  light: {
    surfaces: ['#f7f8fa', '#ffffff', '#eef0f4'],
    soft: { l: 0.95, c: 0.025 },
    onAccent: '#ffffff',
    direction: -1,
  },
  dark: { surfaces: ['#0e1217', '#161b22', '#1f262f'], soft: { l: 0.27, c: 0.045 }, onAccent: '#07101d', direction: 1 },
}

function variantOf(given: Color, { surfaces, soft, onAccent, direction }: Theme): AccentColors {
  const color = toOklch(given)
  const softColor = fromOklch({ ...soft, c: Math.min(color.c, soft.c), h: color.h })
  const isReadable = (accent: Color) =>
    [...surfaces, softColor, onAccent].every((other) => contrastOf(accent, other) >= READABLE)
  let accent = given
  for (let l = color.l; !isReadable(accent) && l >= 0 && l <= 1; l += direction * STEP)
    accent = fromOklch({ ...color, l: l + direction * STEP })
  return { accent, soft: softColor, onAccent }
}

/** All are readable on every surface of their theme, regardless of the configured colour. */
export const accentColors = (given: Color): Record<'light' | 'dark', AccentColors> => ({
  light: variantOf(given, THEMES.light),
  dark: variantOf(given, THEMES.dark),
})

const variables = ({ accent, soft, onAccent }: AccentColors) =>
  `:root{--accent:${accent};--accent-soft:${soft};--on-accent:${onAccent}}`

/** A style sheet that follows the one of the page. */
export function accentStyle(given: Color): string {
  const { light, dark } = accentColors(given)
  return `${variables(light)}@media(prefers-color-scheme:dark){${variables(dark)}}`
}

/** Below it, the style of a colour is at `{rrggbb}-{hash}.css`. */
export const ACCENTS_FOLDER = '/accents'

/** An address that any process can answer, and that changes with the style. */
export const accentPath = (given: Color): string =>
  `${ACCENTS_FOLDER}/${given.slice(1)}-${hashOf(accentStyle(given))}.css`

const hashOf = (style: string) => createHash('sha256').update(style).digest('base64url').slice(0, 12)

/**
 * @param file of an address
 * @returns undefined if it names no colour; `isCurrent`: whether the style is the one that the address promises
 */
export function findAccentStyle(file: string): { style: string; isCurrent: boolean } | undefined {
  const [, digits, hash] = /^([0-9a-f]{6})-([\w-]{12})\.css$/.exec(file) ?? []
  if (digits === undefined) return undefined
  const style = accentStyle(`#${digits}`)
  return { style, isCurrent: hash === hashOf(style) }
}
