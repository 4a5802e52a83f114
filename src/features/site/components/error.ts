// A page that can't be shown, in the look of the site.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish } from './parts.ts'

interface ErrorProps {
  status: number
  message: string
  /** What is wrong with the address, by its parameters. */
  details?: readonly { path: string }[] | undefined
  /** By which operators find the failure in the log. */
  requestId: string
  /** Path and query that were requested. */
  address: string
}

/** Statuses after which the same page can be tried again: they pass by themselves, or its form takes a smaller file. */
const REPEATABLE = new Set([413, 429, 503])

export function errorView(locale: Locale, { status, message, details, requestId, address }: ErrorProps) {
  const { errors, errorHint, home, again, reference } = locale.t.common
  const title = errors[status as keyof typeof errors] ?? errors[status < 500 ? 400 : 500]
  const hint = details ? wrongValues(locale, details) : errorHint[status as keyof typeof errorHint]
  return {
    title,
    content: html`
      <section class="message">
        <p class="status-code">${status}</p>
        <h1>${title}</h1>
        <p>${hint ?? inEnglish(message)}</p>
        ${hint && locale.language === 'en' && status > 400 && status !== 500 && html`<p class="quiet">${message}</p>`}
        ${status === 500 && html`<p>${reference} <code>${requestId}</code></p>`}
        <p>${REPEATABLE.has(status) ? html`<a class="button" href=${address}>${again}</a>` : html`<a class="button" href=${locale.href('/')}>${home}</a>`}</p>
      </section>
    `,
  }
}

/** Names the parameters of the address as the page does. */
function wrongValues(locale: Locale, details: readonly { path: string }[]): string | undefined {
  const { directory, common } = locale.t
  const names: Record<string, unknown> = { ...directory, ...directory.facets, ...directory.flags, ...common.parameters }
  const known = new Set(details.flatMap(({ path }) => (typeof names[path] === 'string' ? names[path] : [])))
  return known.size > 0 ? `${common.wrongValue} ${[...known].join(', ')}.` : undefined
}
