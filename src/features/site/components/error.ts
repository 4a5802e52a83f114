// A page that can't be shown, in the look of the site.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish } from './parts.ts'

interface ErrorProps {
  status: number
  message: string
  /** What is wrong with the address, by its parameters. */
  details?: readonly { path: string }[] | undefined
  /** ISO 8601, when a request limit lets the visitor in again. */
  retryAt?: string | undefined
  /** Epoch ms. */
  now: number
  /** By which operators find the failure in the log. */
  requestId: string
  /** Path and query that were requested. */
  address: string
  /** The login that leads back there. */
  loginPath: string
}

/** Statuses after which the same page can be tried again: they pass by themselves, or its form takes a smaller file. */
const REPEATABLE = new Set([413, 429, 503])

export function errorView(locale: Locale, props: ErrorProps) {
  const { status, message, details, retryAt, now, requestId } = props
  const { titles, hints, retry, reference } = locale.t.errors
  const title = titles[status as keyof typeof titles] ?? titles[status < 500 ? 400 : 500]
  const hint = details ? wrongValues(locale, details) : hints[status as keyof typeof hints]
  return {
    title,
    content: html`
      <section class="message">
        <p class="status-code">${status}</p>
        <h1>${title}</h1>
        <p>${hint ?? inEnglish(message)}</p>
        ${retryAt && html`<p>${locale.say(retry, { when: locale.relative(retryAt, now) })}</p>`}
        ${hint && locale.language === 'en' && status > 401 && status !== 500 && html`<p class="quiet">${message}</p>`}
        ${status === 500 && html`<p>${reference} <code>${requestId}</code></p>`}
        <p>${wayOn(locale, props)}</p>
      </section>
    `,
  }
}

function wayOn(locale: Locale, { status, address, loginPath }: ErrorProps) {
  const { again, home } = locale.t.errors
  if (REPEATABLE.has(status)) return html`<a class="button" href=${address}>${again}</a>`
  // The page stays open: it sends its form again.
  if (status === 401) return html`<a class="button" href=${loginPath} target="_blank">${locale.t.common.nav.login}</a>`
  return html`<a class="button" href=${locale.href('/')}>${home}</a>`
}

/** Names the parameters of the address as the page does. */
function wrongValues(locale: Locale, details: readonly { path: string }[]): string | undefined {
  const { directory, errors } = locale.t
  const names: Record<string, unknown> = { ...directory, ...directory.facets, ...directory.flags, ...errors.parameters }
  const known = new Set(details.flatMap(({ path }) => (typeof names[path] === 'string' ? names[path] : [])))
  return known.size > 0 ? `${errors.wrongValue} ${[...known].join(', ')}.` : undefined
}
