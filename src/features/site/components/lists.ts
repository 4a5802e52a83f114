// Parts of lists: tables, links to other pages, and the language of filter forms.
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'

/** A table that scrolls by itself where it is wider than the page. @param rows `<tr>` elements */
export const table = (label: string, columns: readonly Content[], rows: Content) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>
`

/** The way through a list: next pages, the first and the last. @param href of a page; the first has none */
export function pager(
  locale: Locale<never>,
  { page, totalPages }: { page: number | null; totalPages: number },
  href: (page: string | undefined) => string,
): Content {
  const { pages } = locale.t.common
  const here = page ?? 1
  if (Math.max(here, totalPages) < 2) return null
  const link = (to: number, name: string, rel: string | null = null) =>
    html`<a href=${href(to > 1 ? String(to) : undefined)} rel=${rel} aria-current=${to === here && !rel ? 'page' : null} data-live>${name}</a>`
  const near = [1, here - 1, here, here + 1, totalPages].filter((to) => to >= 1 && to <= totalPages)
  return html`
    <nav class="pages" aria-label=${pages.label}>
      ${here > 1 && link(Math.min(here - 1, totalPages), pages.previous, 'prev')}
      ${[...new Set(near)].map((to) => link(to, locale.number(to)))}
      ${here < totalPages && link(here + 1, pages.next, 'next')}
    </nav>
  `
}

/** Keeps the chosen language in a form with the method GET. */
export const languageField = ({ isChosen, language }: Locale<never>): Content =>
  isChosen && html`<input type="hidden" name="lang" value=${language} />`
