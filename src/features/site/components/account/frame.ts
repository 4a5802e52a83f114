// What the pages of the account share: their menu.
import type { RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { links } from '../parts.ts'
import type { Schemas } from '../types.ts'

export type AccountLocale = Locale<'account' | 'forms'>

export interface Form {
  refused: RefusedForm | undefined
}

const TABS = ['profile', 'keys', 'favorites', 'notifications', 'subscription'] as const
export type AccountTab = (typeof TABS)[number]

export const accountPath = (tab: AccountTab): `/${string}` => (tab === 'profile' ? '/account' : `/account/${tab}`)

/** What every page of the account gets. */
export interface AccountData extends Form {
  subscription: Schemas['Subscription']
  /** The form that was sent last. */
  saved: string | undefined
  now: number
}

/** @param content sections of the tab */
export function around(locale: AccountLocale, tab: AccountTab, { subscription }: AccountData, content: Content) {
  const { account } = locale.t
  const menu = TABS.filter((one) => one !== 'subscription' || subscription.canSubscribe).map((one) => ({
    href: locale.href(accountPath(one)),
    name: account.tabs[one],
    isHere: one === tab,
  }))
  return html`
    <div class="area stack">
      <h1>${account.title}</h1>
      ${links('tabs', account.tabs.label, menu)}
      ${content}
    </div>
  `
}
