// What the pages of an owner's server have in common.
import { ApiError } from '../../../../platform/http/errors.ts'
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
  data(input: PageInput<Part>): Promise<Omit<Data, keyof OfServer>>
}

export const ownerPage = <Data extends OfServer>({ query, data, ...declaration }: Declaration<Data>) =>
  page<Data, Part>({
    ...declaration,
    ...OWNER,
    query: [...(query ?? []), 'saved'],
    async data(input) {
      const { api, params, refused } = input
      // The API refuses it to others than the owner and administrators.
      const [server, own] = await Promise.all([api.get('/servers/{id}/listing', idOf(params)), data(input)])
      return { server, refused, saved: input.query.saved, now: Date.now(), ...own } as OfServer as Data
    },
    head: (_locale: OwnerLocale, { server }) => ({ title: server.name, noindex: true }),
  })

/** @param other instead of an answer that is refused with this status */
export async function orIf<Answer, Other>(status: number, other: Other, answer: Promise<Answer>) {
  return answer.catch((error: unknown): Other => {
    if (error instanceof ApiError && error.status === status) return other
    throw error
  })
}

/** What waits for a worker that is not there is shown on its page instead of the site's page for 503. */
export const orBusy = <Answer>(answer: Promise<Answer>) => orIf(503, 'busy' as const, answer)

/** What the API answers about listed servers only. */
export const ifListed = <Answer>(answer: Promise<Answer>) => orIf(404, undefined, answer)

/** A number that was typed; undefined if the field was left empty. */
export const numberOf = (typed: string | undefined): number | undefined => (typed?.trim() ? Number(typed) : undefined)

export const pageOf = (query: Record<string, string>) => given({ page: query.page as number | undefined })
export const listOf = (chosen: string | undefined) => (chosen ? chosen.split(',') : [])

/** @returns id and name, by name */
export async function gameNames(api: Client): Promise<(readonly [string, string])[]> {
  const { games } = await api.get('/games')
  return games.map(({ id, name }) => [id, name] as const).sort(([, a], [, b]) => a.localeCompare(b))
}
