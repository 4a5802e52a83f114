// Games: all that have servers, and the best, the rising and the newest servers of one.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { breadcrumb, lines, time } from './parts.ts'
import { gameMark, serverPath } from './server-parts.ts'
import { serverRow } from './server-row.ts'
import type { Facets, Row, Schemas } from './types.ts'

export interface GamesData {
  /** Games with servers, most players first. */
  games: { id: string; name: string; path: string; servers: number; players: number }[]
}

export function gamesView(locale: Locale<'games'>, { games }: GamesData) {
  const { common, games: texts } = locale.t
  return html`
    <div class="stack">
      <h1>${texts.title}</h1>
      <p class="quiet">${texts.about}</p>
      ${
        games.length > 0
          ? html`<ul class="games">
              ${games.map(
                ({ id, name, path, servers, players }) => html`
                  <li key=${path}>
                    <a class="card" href=${locale.href(path)}>
                      ${gameMark(id, name, 24)} <b>${name}</b>
                      <span class="quiet">${locale.say(common.servers, { n: servers })} · ${locale.say(texts.playersNow, { n: players })}</span>
                    </a>
                  </li>
                `,
              )}
            </ul>`
          : html`<div class="empty"><p>${texts.none}</p></div>`
      }
    </div>
  `
}

export interface GameData {
  game: Schemas['Game']
  path: string
  /** The running month: `2026-11`. */
  month: string
  /** `PUBLIC_BASE_URL`. */
  origin: string
  /** What a player's game must have in common with the server's. */
  needs: 'version' | 'version and mods' | undefined
  /** Whether a link starts the game. */
  hasJoinLink: boolean
  /** The highest number of players at once in the last 24 hours, as far as it is known. */
  peak: number
  countries: Facets['country']
  lists: Record<'best' | 'rising' | 'newest' | 'wiped', Row[]>
  /** The servers that wipe next, soonest first. */
  wiping: Pick<Schemas['ServerItem'], 'id' | 'name' | 'nextWipeAt'>[]
}

type GameLocale = Locale<'games' | 'directory'>

export function gameView(
  locale: GameLocale,
  { game, path, month, needs, hasJoinLink, peak, countries, lists, wiping }: GameData,
) {
  const { directory, games: texts } = locale.t
  const { id, name, servers, players, gamePort } = game
  return html`
    <div class="stack">
      ${breadcrumb(locale, '/games', texts.title)}
      <header class="intro">
        <h1>${gameMark(id, name, 40)}${locale.say(texts.listTitle, { name })}</h1>
        <p class="totals">
          <span class="total"><b>${locale.number(servers)}</b> ${locale.say(directory.servers, { n: servers })}</span>
          <span class="total"><b>${locale.number(players)}</b> ${locale.say(directory.players, { n: players })}</span>
          ${peak > 0 && html`<span class="total">${locale.say(texts.peak, { n: peak })}</span>`}
        </p>
      </header>
      <p class="facts">
        ${gamePort && html`<span>${locale.say(texts.port, { port: String(gamePort) })}</span>`}
        ${hasJoinLink && html`<span>${texts.opens}</span>`}
        ${needs && html`<span>${texts.needs[needs]}</span>`}
      </p>
      ${
        servers > 0
          ? html`
              ${section(locale, texts.best, lists.best)}
              <p class="row"><a class="button" href=${locale.href('/', { game: id })}>${locale.say(texts.all, { n: servers })}</a> <a class="button quiet-button" href=${locale.href(`${path}/top/${month}`)}>${texts.ofMonth}</a></p>
              ${section(locale, texts.rising, lists.rising)} ${section(locale, texts.newest, lists.newest)} ${section(locale, texts.wiped, lists.wiped)}
              ${
                wiping.length > 0 &&
                html`<section aria-label=${texts.wiping}><h2>${texts.wiping}</h2>${lines(
                  wiping.map((server) => nextWipe(locale, server)),
                  '',
                )}</section>`
              }
            `
          : html`<div class="empty"><p>${texts.none}</p><p><a class="button" href=${locale.href('/my/servers/new')}>${directory.add}</a></p></div>`
      }
      ${
        countries.length > 0 &&
        html`
          <section aria-label=${texts.byCountry}>
            <h2>${texts.byCountry}</h2>
            <ul class="chips">
              ${countries.map(
                ({ value, servers: count }) =>
                  html`<li><a class="chip" href=${locale.href('/', { game: id, country: value })}>${locale.country(value)} <span class="quiet">${locale.short(count)}</span></a></li>`,
              )}
            </ul>
          </section>
        `
      }
    </div>
  `
}

const nextWipe = (locale: GameLocale, { id, name, nextWipeAt }: GameData['wiping'][number]) =>
  html`<li key=${id} class="row spread"><a href=${locale.href(serverPath({ id, name }))} dir="auto">${name}</a> ${nextWipeAt && time(locale, nextWipeAt)}</li>`

/** A list with its heading; nothing without servers. */
const section = (locale: GameLocale, title: string, servers: readonly Row[]) =>
  servers.length > 0 &&
  html`
    <section aria-label=${title}>
      <h2>${title}</h2>
      <ol class="servers">${servers.map((server, n) => serverRow(locale, server, n + 1))}</ol>
    </section>
  `
