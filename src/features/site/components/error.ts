// A page that can't be shown, in the look of the site.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish } from './parts.ts'

interface ErrorProps {
  status: number
  message: string
  /** By which operators find the failure in the log. */
  requestId: string
  /** Path and query that were requested. */
  address: string
}

/** Statuses that pass by themselves: the page leads to itself instead of to a list that is not there either. */
const PASSING = new Set([429, 503])

export function errorView(locale: Locale<never>, { status, message, requestId, address }: ErrorProps) {
  const { errors, errorHint, home, again, reference } = locale.t.common
  const title = errors[status as keyof typeof errors] ?? errors[status < 500 ? 400 : 500]
  const hint = errorHint[status as keyof typeof errorHint]
  return {
    title,
    content: html`
      <section class="message">
        <p class="status-code">${status}</p>
        <h1>${title}</h1>
        <p>${hint ?? inEnglish(message)}</p>
        ${hint && locale.language === 'en' && status !== 500 && html`<p class="quiet">${message}</p>`}
        ${status === 500 && html`<p>${reference} <code>${requestId}</code></p>`}
        <p>${PASSING.has(status) ? html`<a class="button" href=${address}>${again}</a>` : html`<a class="button" href=${locale.href('/')}>${home}</a>`}</p>
      </section>
    `,
  }
}
