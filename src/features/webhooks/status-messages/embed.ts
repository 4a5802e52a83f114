// What a status message shows: name, people, map, the line of the last day and how to join.
import { cutText, escapeMarkdown, replaceInvisibleChars } from '../../../platform/text.ts'
import { connectAddressOf } from '../../games/index.ts'
import { serverLink } from '../../servers/index.ts'
import { COLORS, MAX_TITLE } from '../kinds/discord.ts'

export interface StatusFacts {
  serverId: string
  name: string
  game: string
  ipAddress: string
  gamePort: number
  gamePortGiven: boolean
  isOnline: boolean
  players: number
  maxPlayers: number
  map: string
}

/** Discord's maximum is 1,024 for a field. */
const MAX_MAP = 100
const BARS = '▁▂▃▄▅▆▇█'

/**
 * @param hours average players of each of the last 24 hours, the oldest first; null where the server was not polled
 * @returns the body of the request
 */
export function statusBody(
  facts: StatusFacts,
  hours: readonly (number | null)[],
  { baseUrl, at }: { baseUrl: string; at: Date },
): string {
  const { serverId, name, isOnline, players, maxPlayers, map } = facts
  const link = serverLink(baseUrl, serverId)
  const known = hours.filter((hour) => hour !== null)
  // The averages of hours may be below what is shown beside them.
  const most = Math.max(...known, isOnline ? players : 0)
  const field = (title: string, value: string, inline = true) => ({ name: title, value, inline })
  const embed = {
    title: escaped(name, MAX_TITLE),
    url: link,
    description: `**${isOnline ? 'Online' : 'Offline'}** · [Join](${link})`,
    color: isOnline ? COLORS.good : COLORS.bad,
    fields: [
      field('Players', isOnline ? `${players} / ${maxPlayers}` : '–'),
      ...(isOnline && map ? [field('Map', escaped(map, MAX_MAP))] : []),
      field('Address', code(connectAddressOf(facts))),
      ...(known.length ? [field('Last 24 hours', `${code(lineOf(hours))} up to ${most}`, false)] : []),
    ],
    footer: { text: 'Changed' },
    timestamp: at.toISOString(),
  }
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } })
}

/** @returns a bar for each hour, as high as its share of the highest; a dot where nothing is known */
export function lineOf(hours: readonly (number | null)[]): string {
  const highest = Math.max(1, ...hours.map((hour) => hour ?? 0))
  return hours.map((hour) => (hour === null ? '·' : BARS[Math.round((hour / highest) * (BARS.length - 1))])).join('')
}

/** Escaping doubles the length at most. Never cut within an escape. */
const escaped = (text: string, max: number): string =>
  escapeMarkdown(cutText(replaceInvisibleChars(text, ' '), max / 2)).trim() || '–'

/** A span in which nothing is formatted. */
const code = (text: string): string => `\`${text.replaceAll('`', '')}\``
