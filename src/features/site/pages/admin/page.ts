// Shared by the pages of administrators and moderators: access, the list's parameters, and the way
// back after an action.
import type { StaffAccess } from '../../../../platform/http/staff-access.ts'
import { type AdminLocale, type AdminPage, type Area, adminPath } from '../../components/admin/frame.ts'
import { type PageDeclaration, type PageHead, type PageInput, page } from '../../page.ts'

export type Part = 'admin' | 'forms'

/** Parameters of every page: the page of the list, and the result of an action. */
const COMMON = ['page', 'done', 'n']

/** The data that every page gets. */
export type Shared = AdminPage & { now: number }

interface Declaration<Own extends object, Path>
  extends Pick<
      PageDeclaration<Own & Shared, Part, Path>,
      'path' | 'query' | 'kept' | 'script' | 'embedded' | 'maxFileBytes' | 'view' | 'post'
    >,
    Pick<PageHead, 'isWide'> {
  /** Default: `admin`. */
  access?: StaffAccess
  /** @param filters the list's parameters, which the API checks */
  data(input: PageInput<Part, Path>, filters: object): Promise<Own>
  title(locale: AdminLocale, data: Own & Shared): string
}

/** A page for administrators, or for moderators too; search engines do not index it. */
export const adminPage = <Own extends object, Path extends `/admin${string}`>({
  title,
  access = 'admin',
  query = [],
  isWide,
  data,
  ...declaration
}: Declaration<Own, Path>) =>
  page<Own & Shared, Part, Path>({
    ...declaration,
    texts: ['admin', 'forms'],
    access,
    query: [...COMMON, ...query],
    async data(input) {
      const { query, refused } = input
      const { done: _done, n: _n, ...filters } = query
      const isAdmin = input.user?.isAdmin ?? false
      return { isAdmin, query, refused, now: Date.now(), ...(await data(input, filters)) }
    },
    head: (locale, data) => ({
      title: title(locale, data),
      noindex: true,
      styles: 'admin.css',
      ...(isWide && { isWide }),
    }),
  })

/** The path back to the list with its filters. @param done the key of the text that says what was done */
export const backToList = ({ locale, query }: PageInput<Part>, area: Area, done: string) =>
  locale.href(adminPath(area), { ...query, done, n: undefined })
