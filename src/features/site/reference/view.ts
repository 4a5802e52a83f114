// The API reference: its table of contents next to the quick start, or next to one operation with samples and examples.
import { type Content, html } from '../components/html.ts'
import { languageField } from '../components/lists.ts'
import type { Locale } from '../components/locale.ts'
import { breadcrumb } from '../components/parts.ts'
import { highlight } from './highlight.ts'
import { inline, markdown } from './markdown.ts'
import { type Entry, type Operation, outline, type Parameter, type Reference, SECTIONS } from './operations.ts'
import { quickStart } from './quick-start.ts'
import { LANGUAGES, type Samples, samplesOf } from './samples.ts'

export interface ReferenceData {
  reference: Reference
}

export interface ContentsData extends ReferenceData {
  /** The start of the API's URLs, with the origin. */
  base: string
  q: string | undefined
  /** The operations that the search found; undefined without a search. */
  found: Operation[] | undefined
}

type ReferenceLocale = Locale<'reference'>

const pathOf = ({ id }: Entry) => `/docs/${id}`

export function contentsView(locale: ReferenceLocale, data: ContentsData) {
  const { reference, base, q, found } = data
  const { t } = locale
  const results = found && [
    html`<h1>${found.length > 0 ? locale.say(t.reference.results, { text: q ?? '' }) : t.reference.nothing}</h1>`,
    html`<ul class="operations">${found.map((one) => html`<li>${operationLink(locale, one)}</li>`)}</ul>`,
  ]
  const start = () => [
    html`<h1>${t.reference.title}</h1>`,
    html`<p class="quiet">${t.reference.about} <a href="/api/openapi.json">openapi.json</a></p>`,
    html`<h2 id="quick-start">${t.reference.quickStart}</h2>`,
    quickStart(base).map(
      ({ id, title, about, samples }) => html`
        <section class="stack" lang="en"><h3 id=${id}>${title}</h3><p>${inline(about)}</p>${codeTabs(locale, id, samples)}</section>
      `,
    ),
    html`<div class="stack prose" lang="en">${markdown(reference.about)}</div>`,
  ]
  return frame(locale, { reference, q, look: 'is-start' })`${results ?? start()}`
}

export function operationView(locale: ReferenceLocale, { reference, id }: ReferenceData & { id: string }) {
  const { t } = locale
  const operation = reference.byId.get(id)
  if (!operation) return html`<p>${t.reference.nothing}</p>`
  const { summary, method, path, url, deprecated, declared } = operation
  return frame(locale, { reference, here: id })`
    <div>
      ${breadcrumb(locale, '/docs', t.reference.title)}
      <h1 lang="en">${inline(summary)}</h1>
      <p class="endpoint">${methodTag(method)} <code class=${deprecated ? 'is-deprecated' : null}>${path}</code> ${copyQuietly(locale, url)}</p>
    </div>
    <div class="operation">
      <div class="stack">
        ${declared.description && html`<div class="stack prose" lang="en">${markdown(declared.description)}</div>`}
        <p class="quiet">${access(locale, operation)}</p>
        ${parameters(locale, reference, declared.parameters ?? [])}
        ${body(locale, reference, operation)}
        ${errors(locale, operation)}
        ${tryIt(locale, operation)}
      </div>
      <div class="stack is-beside">
        <section class="stack"><h2>${t.reference.request}</h2>${codeTabs(locale, 'sample', samplesOf(operation))}</section>
        ${replies(locale, reference, operation)}
      </div>
    </div>
    ${neighbors(locale, reference, operation)}
  `
}

interface Frame extends ReferenceData {
  q?: string | undefined
  /** The id of the displayed operation. */
  here?: string
  look?: string
}

/** Template tag for the content next to the search and the table of contents. */
const frame =
  (locale: ReferenceLocale, { reference, q, here, look = '' }: Frame): typeof html =>
  (...content) => {
    const { t } = locale
    return html`
      <div class="reference ${look}">
        <div class="reference-aside">
          <form action="/docs" role="search" class="field">
            ${languageField(locale)}
            <label for="search">${t.reference.search}</label>
            <input id="search" name="q" type="search" placeholder="vote, /servers, webhook" autocomplete="off" defaultValue=${q ?? ''} />
            <p class="hint" role="status"></p>
          </form>
          <nav class="reference-contents" aria-label=${t.reference.contents}>
            ${SECTIONS.map((section) => contentsOf(locale, reference, section, here))}
          </nav>
        </div>
        <div class="stack reference-main">${html(...content)}</div>
      </div>
    `
  }

function contentsOf(locale: ReferenceLocale, { operations }: Reference, section: Operation['section'], here = '') {
  const ofSection = operations.filter((one) => one.section === section)
  const tags = [...new Set(ofSection.map(({ tag }) => tag))]
  return html`
    <section>
      <h2>${locale.t.reference.sections[section]}</h2>
      ${tags.map(
        (tag) => html`
        <section lang="en"><h3>${tag}</h3><ul>
          ${ofSection
            .filter((one) => one.tag === tag)
            .map(
              (one) =>
                html`<li data-words=${`${one.method} ${one.path} ${one.id}`}><a href=${locale.href(pathOf(one))} class=${one.deprecated ? 'is-deprecated' : null} aria-current=${one.id === here ? 'page' : null}>${inline(one.summary)}</a></li>`,
            )}
        </ul></section>`,
      )}
    </section>
  `
}

const methodTag = (method: string) => html`<span class="method is-${method}">${method.toUpperCase()}</span>`

const operationLink = (locale: ReferenceLocale, one: Operation) => html`
  <a href=${locale.href(pathOf(one))}>${methodTag(one.method)} <code>${one.path}</code> <span lang="en">${inline(one.summary)}</span></a>
`

function access({ t: { reference: texts } }: ReferenceLocale, { declared: { security = [] } }: Operation) {
  const roles = security.flatMap((way) => way.session ?? [])
  if (roles.includes('admin')) return texts.needs.admin
  if (roles.includes('moderator')) return texts.needs.moderator
  if (security.every((way) => !way.session)) return texts.needs.nothing
  return security.some((way) => way.apiKey) ? texts.needs.sessionOrKey : texts.needs.session
}

function parameters({ t }: ReferenceLocale, { schemas }: Reference, list: readonly Parameter[]) {
  if (list.length === 0) return null
  const rows = list.map(({ name, in: place, required, schema, description = schema.description ?? '' }) => {
    const { minimum, maximum, maxLength, default: byDefault } = schema
    const bounds = [
      minimum !== undefined && `≥ ${minimum}`,
      maximum !== undefined && `≤ ${maximum}`,
      maxLength && `≤ ${maxLength} ${t.reference.characters}`,
      byDefault !== undefined && `${t.reference.byDefault} \`${byDefault}\``,
    ].filter(Boolean)
    return html`
      <div>
        <dt><code>${name}</code> <span class="quiet">${place}, <span class="type">${outline(schemas, schema)}</span>${required ? '' : `, ${t.reference.optional}`}</span></dt>
        <dd><span lang="en">${inline(description)}</span> ${bounds.length > 0 && html`<span class="quiet">${inline(bounds.join(', '))}</span>`}</dd>
      </div>
    `
  })
  return html`<section class="stack"><h2>${t.reference.parameters}</h2><dl class="parameters">${rows}</dl></section>`
}

function body(locale: ReferenceLocale, { schemas }: Reference, { declared }: Operation) {
  const { t } = locale
  const content = Object.entries(declared.requestBody?.content ?? {})
  if (content.length === 0) return null
  const [, { schema }] = content[0] ?? ['', {}]
  const types = content.map(([type]) => type).join(', ')
  return html`
    <section class="stack"><h2>${t.reference.body}</h2><p class="quiet"><code>${types}</code></p>
      ${schema?.format !== 'binary' && schema && code(locale, outline(schemas, schema), t.reference.body)}
    </section>
  `
}

function errors({ t }: ReferenceLocale, { declared }: Operation) {
  const rows = Object.entries(declared['x-errors'] ?? {})
  if (rows.length === 0) return null
  return html`
    <section class="stack"><h2>${t.reference.errors}</h2>
      <dl class="facts-list errors">${rows.map(
        ([status, codes]) =>
          html`<div><dt>${status}</dt><dd>${codes.map((name) => html`<code>${name}</code> `)}</dd></div>`,
      )}</dl>
    </section>
  `
}

function replies(locale: ReferenceLocale, { schemas }: Reference, { declared }: Operation) {
  const { t } = locale
  return Object.entries(declared.responses)
    .filter(([status]) => /^[23]/.test(status) && status !== '304')
    .map(([status, { description = '', content = {} }]) => {
      const [type, { schema, example } = {}] = Object.entries(content)[0] ?? []
      const label = `${t.reference.response} ${status}`
      const shape = schema && outline(schemas, schema)
      return html`
        <section class="stack"><h2>${label}</h2>
          ${type === undefined ? html`<p lang="en">${inline(description)}</p>` : type !== 'application/json' && html`<p class="quiet"><code>${type}</code></p>`}
          ${example !== undefined && code(locale, JSON.stringify(example, null, 2), label)}
          ${shape?.includes('\n') && html`<details><summary>${t.reference.fields}</summary>${code(locale, shape, t.reference.fields)}</details>`}
        </section>
      `
    })
}

/** The form that sends a request, displayed by the page's script. A stream has none, because it does not end. */
function tryIt({ t }: ReferenceLocale, { method, url, declared }: Operation) {
  if (Object.values(declared.responses).some(({ content }) => content?.['text/event-stream'])) return null
  const { parameters: list = [], requestBody } = declared
  const json = requestBody?.content?.['application/json']
  if (requestBody && !json) return null
  return html`
    <details class="try script-only"><summary><h2>${t.reference.tryIt}</h2></summary>
      <form class="form" data-method=${method} data-url=${url.replace(/^\w+:\/\/[^/]+/, '')}>
        ${list
          .filter((one) => one.in !== 'header')
          .map(
            ({ name, in: place, required }) =>
              html`<label>${name} <span class="quiet">(${place})</span><input type="text" name=${name} data-in=${place} required=${required ?? false} /></label>`,
          )}
        <label>${t.reference.key}<input type="text" data-key autocomplete="off" /></label>
        ${json && html`<label>${t.reference.body}<textarea name="body" class="code" rows="8" spellcheck="false">${JSON.stringify(json.example, null, 2)}</textarea></label>`}
        <div><button type="submit">${t.reference.send}</button></div>
      </form>
      <pre class="code-block" tabindex="0" hidden></pre>
    </details>
  `
}

function neighbors(locale: ReferenceLocale, { operations }: Reference, operation: Operation) {
  const { previous, next } = locale.t.common.pages
  const at = operations.indexOf(operation)
  const link = (one: Operation | undefined, rel: 'prev' | 'next', word: string) =>
    one
      ? html`<a href=${locale.href(pathOf(one))} rel=${rel}><span class="quiet">${word}</span> <span lang="en">${inline(one.summary)}</span></a>`
      : html`<span></span>`
  return html`<nav class="neighbors" aria-label=${locale.t.common.pages.label}>${link(operations[at - 1], 'prev', previous)}${link(operations[at + 1], 'next', next)}</nav>`
}

/** The sample in each language; the chosen radio button displays one of them by styles, also without scripts. */
const codeTabs = (locale: ReferenceLocale, id: string, samples: Samples) => html`
  <div class="samples">
    <fieldset class="languages"><legend class="visually-hidden">${locale.t.reference.language}</legend>
      ${LANGUAGES.map(
        (language, index) =>
          html`<label><input type="radio" name=${`${id}-language`} value=${language} defaultChecked=${index === 0} />${language}</label>`,
      )}
    </fieldset>
    ${LANGUAGES.map((language) => html`<div data-language=${language}>${code(locale, samples[language], language)}</div>`)}
  </div>
`

const code = (locale: ReferenceLocale, text: string, label: string) => html`
  <div class="code-block">
    <pre tabindex="0" role="region" aria-label=${label}>${highlight(text).map((part) => (part.classes ? html`<span class=${part.classes}>${part.text}</span>` : part.text))}</pre>
    ${copyQuietly(locale, text)}
  </div>
`

const copyQuietly = ({ t: { common } }: ReferenceLocale, text: string): Content => html`
  <button class="quiet-button script-only" type="button" data-copy=${text}><span class="copy-word">${common.copy}</span></button>
`
