// Servers with a running placement.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { placeCard } from './place.ts'
import { copyButton, face, playersBar, serverPath } from './server-parts.ts'
import { serverRow } from './server-row.ts'
import type { Followed, Row, Schemas } from './types.ts'

export interface FeaturedData extends Followed {
  servers: Row[]
  /** The running auction, or else the next one. */
  auction: Schemas['Auction'] | null
  /** Epoch ms. */
  now: number
}

/** A few cards above the list. */
export function featuredCards(locale: Locale<'directory'>, servers: readonly Row[]) {
  if (servers.length === 0) return null
  return html`
    <section class="featured" aria-label=${locale.t.directory.featured}>
      ${servers.map(
        (server) => html`
          <article class="card featured-card" key=${server.id}>
            <p class="quiet">${locale.t.directory.featured} · ${server.gameName}</p>
            <h2>${face(server, 24)}<a href=${locale.href(serverPath(server))} dir="auto">${server.name}</a></h2>
            ${playersBar(locale, server)} ${copyButton(locale, server.connectAddress, server.id)}
          </article>
        `,
      )}
    </section>
  `
}

type FeaturedLocale = Locale<'directory' | 'featured' | 'auctions'>

export function featuredView(locale: FeaturedLocale, { servers, auction, now }: FeaturedData) {
  const { featured } = locale.t
  return html`
    <div class="stack">
      <h1>${featured.title}</h1>
      <p class="quiet">${featured.about}</p>
      ${
        servers.length > 0
          ? html`<ol class="servers">${servers.map((server, n) => serverRow(locale, server, n + 1))}</ol>`
          : html`<p class="empty">${featured.none}</p>`
      }
      <h2>${featured.yours}</h2>
      ${placeCard(locale, undefined)}
      ${nextAuction(locale, auction, now)}
    </div>
  `
}

function nextAuction(locale: FeaturedLocale, auction: Schemas['Auction'] | null, now: number) {
  const { featured } = locale.t
  if (!auction) return html`<p><a href=${locale.href('/auctions')}>${featured.auctions}</a></p>`
  const { id, title, startsAt, currentBid, startingBid, currency } = auction
  const values = { title, amount: locale.money(currentBid ?? startingBid, currency), time: locale.time(startsAt) }
  const text = locale.say(Date.parse(startsAt) <= now ? featured.running : featured.upcoming, values)
  return html`<p class="row">${text} <a class="button" href=${locale.href(`/auctions/${id}`)}>${featured.toAuction}</a></p>`
}
