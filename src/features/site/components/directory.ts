// The server list: search, filters with counts, sorting, rows and pages.
import type { Texts } from '../texts/index.ts'
import { type FirstSteps, firstSteps } from './admin/first-steps.ts'
import { featuredCards } from './featured.ts'
import { hiddenFields } from './fields.ts'
import { html } from './html.ts'
import {
  chosenFlag,
  chosenOf,
  countBefore,
  countChosen,
  FACETS,
  type FacetName,
  FLAGS,
  isSameValue,
  type ListParameter,
  type ListQuery,
  listHref,
  SORTS,
  sortOf,
  sortParameter,
  toggled,
} from './list-query.ts'
import { listTitle } from './list-title.ts'
import { languageField, pager } from './lists.ts'
import type { Locale, Plural } from './locale.ts'
import { links, markdown } from './parts.ts'
import { serverRow } from './server-row.ts'
import type { Facets, Followed, Row, Totals } from './types.ts'

export interface DirectoryData extends Followed {
  query: ListQuery
  servers: Row[]
  pagination: { page: number | null; total: number; totalPages: number }
  facets: Facets
  totals: Totals
  /** The cards above the list, on the first page of the whole list only. */
  featured: Row[]
  /** The site's introduction as safe HTML, on the first page of the whole list only. */
  introduction?: string | undefined
  /** The nearest games and servers, if nothing was found. */
  nearby?: Nearby | undefined
  /** The administrators' first steps, if the directory is empty. */
  firstSteps?: (FirstSteps & { texts: Texts['admin']['firstSteps'] }) | undefined
}

/** What is nearest to a query without results. */
export interface Nearby {
  /** The value of the filter `game`, if it is no game. */
  unknownGame?: string
  /** The games with similar names, or else those with the most servers. */
  games: Facets['game']
  areGamesSimilar: boolean
  /** Those that fewer filters or words find, or else the first ones of the ranking. */
  servers: Row[]
  areServersSimilar: boolean
}

export function directoryView(locale: Locale<'directory'>, data: DirectoryData) {
  const { common, directory } = locale.t
  const { query, servers, pagination, totals } = data
  const total = (n: number, name: string | Plural, { isLive = false } = {}) =>
    html`<span class="total">${isLive && html`<span class="dot is-on"></span>`}<b>${locale.number(n)}</b> ${locale.say(name, { n })}</span>`
  const sorts = SORTS.map((sort) => ({
    href: listHref(locale, query, { sortBy: sortParameter(query, sort) }),
    name: directory.sorts[sort],
    isHere: sortOf(query) === sort,
    'data-live': true,
  }))
  return html`
    <div class="list-page">
      <section class="intro">
        <h1>${listTitle(locale, query, data.facets)}</h1>
        <p class="totals">
          ${total(totals.onlineServers, directory.online, { isLive: true })} ${total(totals.totalPlayers, directory.players)} ${total(totals.totalServers, directory.servers)} ${total(totals.totalVotes, directory.votes)}
        </p>
      </section>
      ${data.introduction && markdown(data.introduction)}
      <form class="search" action="/" method="get" role="search">
        <label class="visually-hidden" for="q">${directory.search}</label>
        <input id="q" name="q" type="search" defaultValue=${query.q ?? ''} placeholder=${directory.searchHint} autocomplete="off" maxlength="200" list="suggestions" />
        <datalist id="suggestions"></datalist>
        ${keptFields(locale, query, ['q', 'page'])}
        <button type="submit">${directory.searchButton}</button>
      </form>
      ${featuredCards(locale, data.featured)}
      <div class="columns">
        ${filters(locale, data)}
        <section class="results" aria-label=${directory.results}>
          <div class="results-head">
            <p role="status">${locale.say(common.servers, { n: pagination.total })}</p>
            ${links('sorts', directory.sort, sorts)}
            ${sortOf(query) === 'score' && html`<a class="hint" href=${locale.href('/ranking')}>${directory.ranking}</a>`}
          </div>
          ${chips(locale, query, data.facets)}
          ${
            servers.length > 0
              ? html`<ol class="servers">${servers.map((server, n) => serverRow(locale, server, countBefore(pagination.page) + n + 1))}</ol>`
              : nothingFound(locale, data)
          }
          ${pager(locale, pagination, (page) => listHref(locale, query, { page: page ?? '' }))}
        </section>
      </div>
    </div>
  `
}

function nothingFound(locale: Locale<'directory'>, { query, totals, nearby, firstSteps: steps }: DirectoryData) {
  const { directory } = locale.t
  if (totals.totalServers === 0)
    return html`
      <div class="empty">
        <p><b>${directory.none}</b></p>
        <p>${directory.first}</p>
        <p><a class="button" href=${locale.href('/my/servers/new')}>${directory.add}</a></p>
      </div>
      ${steps && firstSteps(locale, steps.texts, steps)}
    `
  const { unknownGame, games = [], areGamesSimilar, servers = [], areServersSimilar } = nearby ?? {}
  const typed = unknownGame ?? query.q
  const why = unknownGame ? directory.noGame : query.q ? directory.notFound : directory.nothing
  return html`
    <div class="empty">
      <p>${locale.say(why, { q: typed ?? '' })}</p>
      <p><a class="button" href=${locale.href('/')} data-live>${directory.clear}</a></p>
    </div>
    ${
      games.length > 0 &&
      html`<section class="nearby">
        <h2>${areGamesSimilar ? directory.nearGames : directory.popularGames}</h2>
        <ul class="chips">${games.map(({ value, name, servers: n }) => html`<li><a class="chip" href=${locale.href('/', { game: value })}>${name} <span class="quiet">${locale.short(n)}</span></a></li>`)}</ul>
      </section>`
    }
    ${
      servers.length > 0 &&
      html`<section class="nearby">
        <h2>${areServersSimilar ? directory.nearServers : directory.popularServers}</h2>
        <ol class="servers">${servers.map((server, n) => serverRow(locale, server, n + 1))}</ol>
      </section>`
    }
  `
}

/** The chosen parameters, except some, as hidden fields of a form. */
const keptFields = (locale: Locale<never>, query: ListQuery, except: readonly ListParameter[]) => [
  hiddenFields({ ...query, ...Object.fromEntries(except.map((name) => [name, ''])) }),
  languageField(locale),
]

/** Maximum values of a facet that are visible at first; the others are behind “more”. */
const SHOWN_VALUES = 8
/** Facets with more values can be searched. */
const SEARCHED_VALUES = 12

function filters(locale: Locale<'directory'>, { query, facets, pagination }: DirectoryData) {
  const { directory } = locale.t
  const count = countChosen(query)
  return html`
    <aside class="filters" aria-label=${directory.filters}>
      <input type="checkbox" id="show-filters" class="visually-hidden" />
      <label for="show-filters">${directory.filters}${count > 0 && html` <span class="badge">${locale.number(count)}</span>`}</label>
      <div class="filters-body">
        <ul class="flags">
          ${FLAGS.map((flag) => {
            const isOn = query[flag] === chosenFlag(flag)
            return html`<li><a class="check" href=${listHref(locale, query, { [flag]: isOn ? '' : chosenFlag(flag) })} aria-current=${isOn ? 'true' : null} rel="nofollow" data-live>${directory.flags[flag]}</a></li>`
          })}
        </ul>
        ${FACETS.filter((facet) => facet !== 'map' || hasMaps(query)).map((facet) => facetList(locale, query, facet, facets[facet]))}
        <form class="ranges" action="/" method="get" data-live>
          <fieldset>
            <legend>${directory.multiplier}</legend>
            <input name="minMultiplier" aria-label=${directory.from} placeholder=${directory.from} inputmode="decimal" size="4" pattern="[0-9]{1,9}([.,][0-9]+)?" defaultValue=${query.minMultiplier ?? ''} />
            <span aria-hidden="true">–</span>
            <input name="maxMultiplier" aria-label=${directory.to} placeholder=${directory.to} inputmode="decimal" size="4" pattern="[0-9]{1,9}([.,][0-9]+)?" defaultValue=${query.maxMultiplier ?? ''} />
          </fieldset>
          <label>${directory.minPlayers} <input name="minPlayers" inputmode="numeric" size="4" pattern="[0-9]{1,9}" defaultValue=${query.minPlayers ?? ''} /></label>
          ${keptFields(locale, query, ['minMultiplier', 'maxMultiplier', 'minPlayers', 'page'])}
          <button type="submit" class="quiet-button">${directory.apply}</button>
        </form>
        <label class="button sheet-end" for="show-filters">${locale.say(directory.showResults, { n: pagination.total })}</label>
      </div>
    </aside>
  `
}

/** Whether to show the facet of maps: maps of different games have nothing in common. */
const hasMaps = (query: ListQuery) => query.map !== undefined || chosenOf(query, 'game').length === 1

interface FacetValue {
  value: string
  servers: number
  name?: string
}

function facetList(locale: Locale<'directory'>, query: ListQuery, facet: FacetName, values: readonly FacetValue[]) {
  const { directory } = locale.t
  const chosen = chosenOf(query, facet)
  if (values.length === 0) return null
  const item = ({ value, servers, name }: FacetValue) => {
    const isChosen = chosen.some((one) => isSameValue(one, value))
    return html`
      <li>
        <a class="check" href=${listHref(locale, query, toggled(query, facet, value))} aria-current=${isChosen ? 'true' : null} rel=${countChosen(query) > 0 ? 'nofollow' : null} data-live>
          <span dir="auto">${name ?? facetName(locale, facet, value)}</span> <span class="quiet">${locale.short(servers)}</span>
        </a>
      </li>
    `
  }
  return html`
    <section class="facet">
      <h2>${directory.facets[facet]}</h2>
      ${values.length > SEARCHED_VALUES && html`<input class="facet-search" type="search" placeholder=${directory.findValue} aria-label=${`${directory.findValue}: ${directory.facets[facet]}`} data-facet=${facet} autocomplete="off" />`}
      <ul>${values.slice(0, SHOWN_VALUES).map(item)}</ul>
      ${
        values.length > SHOWN_VALUES &&
        html`<details><summary>${locale.say(directory.more, { n: values.length - SHOWN_VALUES })}</summary><ul>${values.slice(SHOWN_VALUES).map(item)}</ul></details>`
      }
    </section>
  `
}

function facetName(locale: Locale<never>, facet: FacetName, value: string): string {
  if (facet === 'country') return locale.country(value)
  return facet === 'region' ? locale.region(value) : value
}

/** The chosen filters, each with a link that removes it. */
function chips(locale: Locale<'directory'>, query: ListQuery, facets: Facets) {
  const { directory } = locale.t
  const chip = (name: string, changes: ListQuery) =>
    html`<li><a class="chip" href=${listHref(locale, query, changes)} data-live><span dir="auto">${name}</span><span aria-hidden="true"> ×</span><span class="visually-hidden"> ${directory.remove}</span></a></li>`
  const all = [
    ...(query.q ? [chip(locale.say(directory.quoted, { q: query.q }), { q: '' })] : []),
    ...FACETS.flatMap((facet) =>
      chosenOf(query, facet).map((value) => {
        const known: FacetValue | undefined = facets[facet].find((one) => isSameValue(one.value, value))
        return chip(known?.name ?? facetName(locale, facet, value), toggled(query, facet, value))
      }),
    ),
    ...FLAGS.filter((flag) => query[flag] === chosenFlag(flag)).map((flag) =>
      chip(directory.flags[flag], { [flag]: '' }),
    ),
    ...(query.minMultiplier || query.maxMultiplier
      ? [
          chip(`${directory.multiplier} ${query.minMultiplier ?? '0'}–${query.maxMultiplier ?? '∞'}`, {
            minMultiplier: '',
            maxMultiplier: '',
          }),
        ]
      : []),
    ...(query.minPlayers ? [chip(`${directory.minPlayers} ${query.minPlayers}`, { minPlayers: '' })] : []),
  ]
  if (all.length === 0) return null
  return html`<ul class="chips">${all}<li><a href=${locale.href('/')} data-live>${directory.clear}</a></li></ul>`
}
