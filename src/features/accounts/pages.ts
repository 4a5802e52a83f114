// The pages that links in mails open.
import type { Pages } from '../../platform/http/pages.ts'

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)
/** Sends the form of a page with the token of a mail's link. */
export const MAILED_TOKEN_SCRIPT = '/pages/mailed-token.js'

export const accountPages: Pages = {
  '/confirm': { title: 'Confirm your e-mail address', content: own('confirm.html'), script: MAILED_TOKEN_SCRIPT },
  '/password': { title: 'Set a new password', content: own('password.html'), script: MAILED_TOKEN_SCRIPT },
  [MAILED_TOKEN_SCRIPT]: own('mailed-token.js'),
}

/**
 * URLs for mails, short enough for one line. A fragment stays in the browser, so no log and no other site sees the
 * token.
 */
export const mailedLink = (base: string, page: '/confirm' | '/password', token: string): string =>
  `${base}${page}#${token}`
