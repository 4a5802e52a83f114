// What the pages of an owner's server have in common.
import type { Client } from '../../api.ts'
import type { OfServer, OwnerLocale } from '../../components/owner/frame.ts'
import { given } from '../../form.ts'
import { type PageDeclaration, type PageInput, page } from '../../page.ts'

type Part = 'owner' | 'forms'

export const OWNER = { texts: ['owner', 'forms'], access: 'session' } as const

/** Of an operation on the page's server. */
export const idOf = ({ id = '' }: Record<string, string>) => ({ path: { id } })

interface Declaration<Data extends OfServer>
  extends Omit<PageDeclaration<Data, Part>, 'texts' | 'access' | 'head' | 'data'> {
  /** Calls at least one operation that the API refuses to others than the owner. */
  data(input: PageInput<Part>): Promise<Omit<Data, keyof OfServer>>
}

export const ownerPage = <Data extends OfServer>({ query, data, ...declaration }: Declaration<Data>) =>
  page<Data, Part>({
    ...declaration,
    ...OWNER,
    query: [...(query ?? []), 'saved'],
    async data(input) {
      const { api, params, refused } = input
      const [server, own] = await Promise.all([api.get('/servers/{id}', idOf(params)), data(input)])
      return { server, refused, saved: input.query.saved, now: Date.now(), ...own } as OfServer as Data
    },
    head: (_locale: OwnerLocale, { server }) => ({ title: server.name, noindex: true }),
  })

/** A number that was typed; undefined if the field was left empty. */
export const numberOf = (typed: string | undefined): number | undefined => (typed?.trim() ? Number(typed) : undefined)

export const pageOf = (query: Record<string, string>) => given({ page: query.page as number | undefined })
export const listOf = (chosen: string | undefined) => (chosen ? chosen.split(',') : [])

/** @returns id and name, by name */
export async function gameNames(api: Client): Promise<(readonly [string, string])[]> {
  const { games } = await api.get('/games')
  return games.map(({ id, name }) => [id, name] as const).sort(([, a], [, b]) => a.localeCompare(b))
}
