// A server in a list: rank, name, what it plays, players of the last day and now, votes, address.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { tag } from './parts.ts'
import { addressOf, copyButton, playersBar, serverPath, verifiedMark } from './server-parts.ts'
import { sparkline } from './sparkline.ts'
import type { Row } from './types.ts'

export function serverRow(locale: Locale<'directory'>, server: Row) {
  const { directory } = locale.t
  const { id, name, gameName, map, country, gameMode, isVerified, isFeatured, totalVotes, rank } = server
  return html`
    <li class="server ${isFeatured ? 'is-featured' : ''}" key=${id} id=${`server-${id}`}>
      <span class="rank" title=${directory.rank}><span class="visually-hidden">${directory.rank} </span>${locale.number(rank)}</span>
      <div class="what">
        <h2><a href=${locale.href(serverPath(id))} dir="auto">${name}</a>${isVerified && verifiedMark(directory.verified)}</h2>
        <p class="facts">
          <span>${gameName}</span>
          ${map && html`<span dir="auto">${map}</span>`}
          ${gameMode && html`<span>${gameMode}</span>`}
          ${country && html`<span>${locale.country(country)}</span>`}
          ${isFeatured && tag('', directory.featured)}
        </p>
      </div>
      ${sparkline(locale, server.playersByHour)}
      ${playersBar(locale, server)}
      <span class="votes"><b>${locale.short(totalVotes)}</b> <span class="quiet">${locale.say(directory.votes, { n: totalVotes })}</span></span>
      ${copyButton(locale, addressOf(server))}
    </li>
  `
}
