// Building blocks of pages: cards, notices, tags, lists of facts, times, and links of which one is chosen.
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'

type Tone = 'good' | 'warn' | 'bad' | ''

/** Template tag for a section with a heading. */
export const card =
  (title: Content): typeof html =>
  (...content) =>
    html`<section class="card stack"><h2>${title}</h2>${html(...content)}</section>`

/** @param text nothing: no notice */
export const notice = (tone: Tone, text: Content) =>
  text ? html`<p class=${look('notice', tone)} role=${tone === 'bad' ? 'alert' : 'status'}>${text}</p>` : null

export const tag = (tone: Tone, text: Content) => html`<span class=${look('tag', tone)}>${text}</span>`

const look = (name: string, tone: Tone) => (tone ? `${name} is-${tone}` : name)

export const onlineTag = ({ t: { common } }: Locale<never>, { isOnline }: { isOnline: boolean }) =>
  isOnline ? tag('good', common.online) : tag('bad', common.offline)

/** A message of the API, on a page of any language. */
export const inEnglish = (message: Content) => html`<span lang="en">${message}</span>`

/** @param safeHtml a result of `htmlOf` (markdown.ts) */
export const markdown = (safeHtml: string) =>
  html`<div class="markdown" dir="auto" dangerouslySetInnerHTML=${{ __html: safeHtml }}></div>`

/** @param none the text that replaces an empty list */
export const lines = (items: readonly Content[], none: string) =>
  items.length > 0 ? html`<ul class="lines">${items}</ul>` : html`<p class="quiet">${none}</p>`

/** Names with their values; empty rows are left out. @param look `is-wide`: the values below each other, at the left */
export const factList = (
  rows: readonly (readonly [name: Content, value: Content] | false | '' | null)[],
  look = 'is-wide',
) => html`
  <dl class=${`facts-list ${look}`}>
    ${rows.map((row) => row && html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`)}
  </dl>
`

/** How long ago, with the time itself as its title. @param now epoch ms */
export const ago = (locale: Locale<never>, instant: string, now: number) =>
  html`<time datetime=${instant} title=${locale.time(instant)}>${locale.relative(instant, now)}</time>`

export const time = (locale: Locale<never>, instant: string) =>
  html`<time datetime=${instant}>${locale.time(instant)}</time>`

/** `23:59:12`, of fixed width. */
export const clockTime = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')

/** A link back to the page that this one belongs to. */
export const breadcrumb = (locale: Locale<never>, path: string, name: string) =>
  html`<p class="crumbs"><a href=${locale.href(path)}>${name}</a></p>`

interface Link {
  href: string
  name: string
  isHere: boolean
  [attribute: string]: unknown
}

/** Links of which one is chosen. @param look `tabs` between pages, `sorts` between views of one list or chart */
export const links = (look: 'tabs' | 'sorts', label: string, list: readonly Link[]) => html`
  <nav class=${look} aria-label=${label}>
    ${list.map(({ href, name, isHere, ...attributes }) => html`<a href=${href} aria-current=${isHere ? (look === 'tabs' ? 'page' : 'true') : null} ...${attributes}>${name}</a>`)}
  </nav>
`
