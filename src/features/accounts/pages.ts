// The pages that mails lead to.
import type { Pages } from '../../platform/http/pages.ts'

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)

export const accountPages: Pages = {
  '/confirm': own('confirm.html'),
  '/password': own('password.html'),
  '/pages/mailed-token.js': own('mailed-token.js'),
}

/** Addresses of mails' links, short enough for a line of a mail. A fragment stays in the browser: no log and no other site sees the token. */
export const mailedLink = (base: string, page: '/confirm' | '/password', token: string): string =>
  `${base}${page}#${token}`
