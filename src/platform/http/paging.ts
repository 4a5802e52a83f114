// Pages of a list: which one is asked for, and how many there are.
import * as z from 'zod'
import { wholeNumber, wholeNumberWithDefault } from './query.ts'

const MAX_PAGE = 1_000_000_000

/** Maximum size of any page. Bounds what one request makes the process hold. */
export const MAX_PAGE_BYTES = 1_000_000

/** `page` and `limit` of a query. */
export const pageQuery = ({ limit, maxLimit }: { limit: number; maxLimit: number }) => ({
  page: wholeNumberWithDefault(1, MAX_PAGE, 1).describe('Page number, from 1; a page after the last is empty'),
  limit: wholeNumberWithDefault(1, maxLimit, limit).describe('Items per page'),
})

/** `page` of a list that can be read by cursor too: undefined unless it is given. */
export const optionalPage = wholeNumber(1, MAX_PAGE)
  .describe('Page number, from 1 (the default); a page after the last is empty')
  .optional()

export interface PageQuery {
  page: number
  limit: number
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit

const count = z.int().min(0)

/** The `pagination` object of a paginated reply. */
export const Pagination = z
  .object({ page: z.int().min(1), limit: z.int().min(1), total: count, totalPages: count })
  .meta({ id: 'Pagination' })

export const paginationOf = ({ page, limit }: PageQuery, total: number): z.input<typeof Pagination> => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
})

/** Position of a page by number, or by cursor. `nextCursor` is null on the last page. */
export type PagePosition = { page: number; totalPages: number } | { nextCursor: string | null }

/**
 * The `Link` header of a page (RFC 8288): the same request for the first, previous, next and last page, or for the
 * first and next of a list by cursor.
 * @param url path and query as requested
 */
export function linksOf(url: string, position: PagePosition): string {
  if ('nextCursor' in position) {
    const target = targetOf(url, 'cursor')
    const { nextCursor } = position
    return `${target}>; rel="first"${nextCursor === null ? '' : `, ${target}${nextCursor}>; rel="next"`}`
  }
  const { page, totalPages } = position
  const target = targetOf(url, 'page')
  const last = Math.max(totalPages, 1)
  return (
    `${target}1>; rel="first"` +
    (page > 1 ? `, ${target}${Math.min(page - 1, last)}>; rel="prev"` : '') +
    (page < last ? `, ${target}${page + 1}>; rel="next"` : '') +
    `, ${target}${last}>; rel="last"`
  )
}

/** The address without the parameter, which is left open at the end: `</servers?limit=5&page=`. */
function targetOf(url: string, parameter: string): string {
  const start = url.indexOf('?')
  const path = start === -1 ? url : url.slice(0, start)
  let others = ''
  if (start !== -1)
    for (const pair of url.slice(start + 1).split('&')) if (pair && nameOf(pair) !== parameter) others += `${pair}&`
  // Node lets these through, which would end the link before its time.
  return `<${`${path}?${others}`.replace(/[<>"]/g, encodeURIComponent)}${parameter}=`
}

/** The decoded name: `%70age=2` is a page too. */
function nameOf(pair: string): string | undefined {
  const [name = ''] = pair.split('=', 1)
  return name.includes('%') ? new URLSearchParams(name).keys().next().value : name
}

/** The reply of a paginated list: the items under `name`, and `pagination`. The component is named like `WipePage`. */
export function pageOf<Name extends string, Item extends z.ZodType>(name: Name, item: Item) {
  const id = z.globalRegistry.get(item)?.id
  if (!id) throw new Error(`the items of the page of ${name} have no id`)
  return z
    .object({ [name]: z.array(item), pagination: Pagination } as Record<Name, z.ZodArray<Item>> & {
      pagination: typeof Pagination
    })
    .meta({ id: `${id}Page` })
}

/** Fetches one page and the total number of items. */
export async function paginate<Name extends string, Item>(
  name: Name,
  query: PageQuery,
  source: { count(): Promise<number>; find(range: { limit: number; offset: number }): Promise<Item[]> },
) {
  const total = await source.count()
  const items = await source.find({ limit: query.limit, offset: offsetOf(query) })
  return { [name]: items, pagination: paginationOf(query, total) } as Record<Name, Item[]> & {
    pagination: z.output<typeof Pagination>
  }
}
