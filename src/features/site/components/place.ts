// A place that is auctioned, in words and as a picture: its location, its duration, and the views that it brought.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Schemas } from './types.ts'

type View = Locale<'auctions'>
type Place = Pick<Schemas['Auction'], 'location' | 'placementDays'>
export type Reach = Schemas['PlacementReach']['places'][number]

const WEEK_DAYS = 7
/** Matches operators' names of the place on the front page: `home-top`, `front-banner`. */
const TOP = /^(home|front|start|top)(-|$)/

/** `The card on top of the front page for a week` */
export function placeOf(locale: View, { location, placementDays: days }: Place): string {
  const { places, days: ofDays, weeks } = locale.t.auctions
  const place = TOP.test(location) ? places.top : locale.say(places.other, { location })
  const isWeeks = days % WEEK_DAYS === 0
  return `${place} ${isWeeks ? locale.say(weeks, { n: days / WEEK_DAYS }) : locale.say(ofDays, { n: days })}`
}

/** Explains the place of an auction to a bidder. */
export const placeCard = (locale: View, reach: Reach | undefined) => html`
  <section class="card place">
    ${frontPage(locale.t.auctions.picture)}
    <div class="stack">
      <h2>${locale.t.auctions.what}</h2>
      <p>${locale.t.auctions.whatText}</p>
      ${reachLine(locale, reach)}
    </div>
  </section>
`

/** The views that the place brought to its servers in the last week; nothing if no views were counted there. */
export const reachLine = (locale: View, reach: Reach | undefined) =>
  reach &&
  reach.viewsPerDay > 0 &&
  html`<p><b>${locale.say(locale.t.auctions.reach, { n: reach.servers, views: reach.viewsPerDay, before: reach.viewsPerDayBefore })}</b></p>`

/** The front page in outline, with the place in color. */
const frontPage = (label: string) => html`
  <svg class="place-picture" viewBox="0 0 160 104" role="img" aria-label=${label}>
    <title>${label}</title>
    <rect class="place-page" x="0.5" y="0.5" width="159" height="103" rx="5" />
    <rect class="place-line" x="8" y="7" width="26" height="5" rx="2" /><rect class="place-line" x="118" y="7" width="34" height="5" rx="2" />
    <rect class="place-card" x="8" y="19" width="144" height="24" rx="3" />
    <rect class="place-text" x="15" y="25" width="12" height="12" rx="3" /><rect class="place-text" x="33" y="26" width="48" height="4" rx="2" /><rect class="place-text" x="33" y="33" width="30" height="3" rx="1.5" />
    <rect class="place-line" x="8" y="51" width="28" height="44" rx="3" />
    ${[51, 63, 75, 87].map((y) => html`<rect class="place-line" x="42" y=${y} width="110" height="8" rx="2" />`)}
  </svg>
`
