// The page for an error, with the site's appearance.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish } from './parts.ts'

interface ErrorProps {
  status: number
  message: string
  /** The parameters of the address that are not valid. */
  details?: readonly { path: string }[] | undefined
  /** ISO 8601: the time when the request limit admits the visitor again. */
  retryAt?: string | undefined
  /** Epoch ms. */
  now: number
  /** Operators find the failure in the log by this id. */
  requestId: string
  /** Path and query that were requested. */
  address: string
  /** The address of the login, which leads back to the requested address. */
  loginPath: string
}

/** Statuses after which the page may work again: they are temporary, or its form accepts a smaller file. */
const REPEATABLE = new Set([413, 429, 503])

export function errorView(locale: Locale, props: ErrorProps) {
  const { status, message, details, retryAt, now, requestId } = props
  const { titles, hints, retry, reference, report, reportSubject } = locale.t.errors
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
        ${
          status === 500 &&
          html`
          <p>${reference} <code>${requestId}</code></p>
          <p><a href=${locale.href('/contact', { subject: locale.say(reportSubject, { reference: requestId }) })}>${report}</a></p>
        `
        }
        <p>${wayOn(locale, props)}</p>
      </section>
    `,
  }
}

function wayOn(locale: Locale, { status, address, loginPath }: ErrorProps) {
  const { again, home } = locale.t.errors
  if (REPEATABLE.has(status)) return html`<a class="button" href=${address}>${again}</a>`
  // Opens another tab, so that the visitor can send the form again in this one.
  if (status === 401) return html`<a class="button" href=${loginPath} target="_blank">${locale.t.common.nav.login}</a>`
  return html`<a class="button" href=${locale.href('/')}>${home}</a>`
}

/** Lists the wrong parameters by their names on the page. */
function wrongValues(locale: Locale, details: readonly { path: string }[]): string | undefined {
  const { directory, errors } = locale.t
  const names: Record<string, unknown> = { ...directory, ...directory.facets, ...directory.flags, ...errors.parameters }
  const known = new Set(details.flatMap(({ path }) => (typeof names[path] === 'string' ? names[path] : [])))
  return known.size > 0 ? `${errors.wrongValue} ${[...known].join(', ')}.` : undefined
}
