// Shared by the pages of the account: their menu and common data.
import type { RefusedForm } from '../../components/fields.ts'
import { type Content, html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { links } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { type PageDeclaration, type PageHead, type PageInput, page } from '../../page.ts'

export const ACCOUNT = { texts: ['account', 'forms'] } as const
type Part = (typeof ACCOUNT.texts)[number]

const TABS = ['profile', 'keys', 'favorites', 'notifications', 'subscription'] as const
type Tab = (typeof TABS)[number]

export const accountPath = (tab: Tab): `/${string}` => (tab === 'profile' ? '/account' : `/account/${tab}`)

/** The data that every page of the account gets. */
export interface Shared {
  subscription: Schemas['Subscription']
  refused: RefusedForm | undefined
  /** The form that was sent last. */
  saved: string | undefined
  now: number
}

interface Declaration<Own extends object>
  extends Pick<PageDeclaration<Own & Shared, Part>, 'query' | 'kept' | 'script' | 'embedded' | 'post'> {
  tab: Tab
  data(input: PageInput<Part>): Promise<Own>
  /** @returns sections of the tab */
  view(locale: Locale<Part>, data: Own & Shared): Content
  /** The head of the tab's page, in addition to its title. */
  head?(data: Own & Shared): Partial<PageHead>
}

export const accountPage = <Own extends object>({
  tab,
  query = [],
  data,
  view,
  head,
  ...declaration
}: Declaration<Own>) =>
  page<Own & Shared, Part, `/${string}`>({
    ...declaration,
    ...ACCOUNT,
    path: accountPath(tab),
    access: 'session',
    query: [...query, 'saved'],
    async data(input) {
      const { api, refused } = input
      const [subscription, own] = await Promise.all([api.get('/user/subscription'), data(input)])
      return { subscription, refused, saved: input.query.saved, now: Date.now(), ...own }
    },
    head: (locale, shown) => ({ title: locale.t.account.tabs[tab], noindex: true, ...head?.(shown) }),
    view(locale, data) {
      const { account } = locale.t
      const menu = TABS.filter((one) => one !== 'subscription' || data.subscription.canSubscribe).map((one) => ({
        href: locale.href(accountPath(one)),
        name: account.tabs[one],
        isHere: one === tab,
      }))
      return html`
        <div class="area stack">
          <h1>${account.title}</h1>
          ${links('tabs', account.tabs.label, menu)}
          ${view(locale, data)}
        </div>
      `
    },
  })
