// A country by its flag and name.
import { html } from './html.ts'
import type { Locale } from './locale.ts'

/** Browsers keep flags for good: change the number with the package that has them. */
export const FLAGS_PATH = '/flags/1'

/** @param code ISO 3166-1 alpha-2 @param isLate far down the page */
export const countryWithFlag = (locale: Locale<never>, code: string, isLate = false) => html`
  <span><img class="flag" src=${`${FLAGS_PATH}/${code}.svg`} width="18" height="12" alt="" loading=${isLate ? 'lazy' : null} /> ${locale.country(code)}</span>
`
