// A page that can't be shown, in the look of the site.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish } from './parts.ts'

export function errorView(locale: Locale<never>, { status, message }: { status: number; message: string }) {
  const { errors, errorHint, home } = locale.t.common
  const title = errors[status as keyof typeof errors] ?? errors[status < 500 ? 400 : 500]
  const hint = errorHint[status as keyof typeof errorHint]
  return {
    title,
    content: html`
      <section class="message">
        <p class="status-code">${status}</p>
        <h1>${title}</h1>
        <p>${hint ?? inEnglish(message)}</p>
        ${hint && locale.language === 'en' && html`<p class="quiet">${message}</p>`}
        <p><a class="button" href=${locale.href('/')}>${home}</a></p>
      </section>
    `,
  }
}
