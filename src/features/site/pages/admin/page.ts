// What the administrators' pages have in common: access, the list's parameters, and the way back after an action.
import { type AdminLocale, type AdminPage, type Area, adminPath } from '../../components/admin/frame.ts'
import { type PageDeclaration, type PageInput, page } from '../../page.ts'

export type Part = 'admin' | 'forms'
export type Input = PageInput<Part>

/** Parameters of every page: of the list's page, and of what an action did. */
const COMMON = ['page', 'done', 'n']

interface AdminDeclaration<Data extends AdminPage>
  extends Omit<PageDeclaration<Data, Part>, 'texts' | 'access' | 'head' | 'data'> {
  /** Of the area, or what the data says. */
  title: Area | ((data: Data, locale: AdminLocale) => string)
  /** @param filters the list's parameters as the API takes them, which checks them */
  data(input: Input, filters: object): Promise<Omit<Data, keyof Shown>>
}

type Shown = AdminPage & { now: number }

/** A page of administrators, and of no search engine. */
export const adminPage = <Data extends AdminPage>({ title, query, data, ...declaration }: AdminDeclaration<Data>) =>
  page<Data, Part>({
    ...declaration,
    texts: ['admin', 'forms'],
    access: 'admin',
    query: [...COMMON, ...(query ?? [])],
    async data(input) {
      const { query, refused } = input
      const { done: _done, n: _n, ...filters } = query
      return { query, refused, now: Date.now(), ...(await data(input, filters)) } as Data & Shown
    },
    head: (locale, data) => ({
      title: typeof title === 'string' ? locale.t.admin.areas[title] : title(data, locale),
      noindex: true,
    }),
  })

/** Back to the list with its filters. @param done of the texts */
export const back = ({ locale, query }: Input, area: Area, done: string) =>
  locale.href(adminPath(area), { ...query, done, n: undefined })
