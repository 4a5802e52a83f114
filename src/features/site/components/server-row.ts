// A server in a list: place, name, what it plays, players of the last day and now, votes, address.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { tag } from './parts.ts'
import { copyButton, countryWithFlag, face, gameMark, playersBar, serverPath, verifiedMark } from './server-parts.ts'
import type { Row } from './types.ts'

/** How many rows most screens show at first: their pictures are loaded at once. */
const EARLY_ROWS = 8

/** @param place the server's place in the list, from 1 */
export function serverRow(locale: Locale<'directory'>, server: Row, place: number) {
  const { directory } = locale.t
  const { id, name, game, gameName, map, country, gameMode, isVerified, isFeatured, totalVotes } = server
  const { connectAddress, hasPassword } = server
  const isLate = place > EARLY_ROWS
  return html`
    <li class="server ${isFeatured ? 'is-featured' : ''}" key=${id} data-server=${id}>
      <span class="rank" title=${directory.rank}><span class="visually-hidden">${directory.rank} </span>${locale.number(place)}</span>
      ${face(server, 40, isLate)}
      <div class="what">
        <h2><a href=${locale.href(serverPath(server))} dir="auto">${name}</a>${isVerified && verifiedMark(directory.verified)}</h2>
        <p class="facts">
          <span>${gameMark(game, gameName)} ${gameName}</span>
          ${map && html`<span dir="auto">${map}</span>`}
          ${gameMode && html`<span class=${`mode is-${gameMode.toLowerCase()}`}>${gameMode}</span>`}
          ${country && countryWithFlag(locale, country, isLate)}
          ${hasPassword && tag('', directory.locked)}
          ${isFeatured && tag('', directory.featured)}
        </p>
      </div>
      ${sparkline(locale, server.playersByHour)}
      ${playersBar(locale, server)}
      <span class="votes"><b>${locale.short(totalVotes)}</b> <span class="quiet">${locale.say(directory.votes, { n: totalVotes })}</span>${ofMonth(locale, server)}</span>
      ${copyButton(locale, connectAddress)}
    </li>
  `
}

/** Votes of the running month, and the place that they gave, with its change; nothing without votes. */
function ofMonth(locale: Locale<'directory'>, { monthlyVotes, standing }: Pick<Row, 'monthlyVotes' | 'standing'>) {
  const { directory } = locale.t
  const { month, place, previousPlace } = standing
  if (place === null) return null
  const by = (previousPlace ?? place) - place
  const move = by !== 0 && locale.say(by > 0 ? directory.up : directory.down, { n: Math.abs(by) })
  const label = locale.say(directory.ofMonth, {
    n: monthlyVotes,
    month: locale.month(month),
    place: locale.number(place),
  })
  return html`
    <span class="month" title=${move ? `${label}, ${move}` : label}>
      <span class="visually-hidden">${label}${move && `, ${move}`}</span>
      <span aria-hidden="true">${shortMonth(locale.language, month)} ${locale.short(monthlyVotes)} · #${locale.number(place)}${
        move &&
        html` <span class=${by > 0 ? 'is-up' : 'is-down'}>${by > 0 ? '▲' : '▼'}${locale.number(Math.abs(by))}</span>`
      }</span>
    </span>
  `
}

const monthNames = new Map<string, string>()

/** `Nov` */
function shortMonth(language: string, month: string): string {
  const key = `${language} ${month}`
  const name =
    monthNames.get(key) ?? new Date(`${month}-01`).toLocaleString(language, { month: 'short', timeZone: 'UTC' })
  monthNames.set(key, name)
  return name
}

const STEP = 4
const HEIGHT = 24

/**
 * A line of the players in the last 24 hours; empty while fewer than two hours are known; a gap for an unknown hour.
 */
function sparkline(locale: Locale<'directory'>, hours: Row['playersByHour']) {
  const known = hours.filter((players) => players !== null)
  if (known.length < 2) return html`<span class="sparkline"></span>`
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const label = locale.say(locale.t.directory.playersOfDay, { least: locale.number(least), most: locale.number(most) })
  const line = hours.map((players, hour) => {
    if (players === null) return ''
    const isStart = (hours[hour - 1] ?? null) === null
    const y = HEIGHT - 2 - Math.round((players / Math.max(most, 1)) * (HEIGHT - 4))
    return isStart ? `M${hour * STEP} ${y}h0` : `L${hour * STEP} ${y}`
  })
  return html`
    <svg class="sparkline" viewBox="0 0 ${23 * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
      <title>${label}</title><path d=${line.join('')} />
    </svg>
  `
}
