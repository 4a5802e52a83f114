// Shared by the pages of an owner's server.
import { ApiError } from '../../../../platform/http/errors.ts'
import type { Client } from '../../components/client.ts'
import type { Content } from '../../components/html.ts'
import {
  mayOn,
  type OwnerLocale,
  type OwnerTab,
  type OwnerTabData,
  ownerPath,
  ownerTab,
  TABS,
} from '../../components/owner/frame.ts'
import { type PageDeclaration, type PageInput, page } from '../../page.ts'

type Part = (typeof OWNER.texts)[number]
/** All pages of an owner's server have its id in their path. */
type Path = '/my/servers/{id}'

export const OWNER = { texts: ['owner', 'forms', 'accountCodes', 'fieldNames'], access: 'session' } as const

interface Declaration<Own extends object>
  extends Pick<PageDeclaration<Own, Part, Path>, 'query' | 'maxFileBytes' | 'script' | 'post'> {
  tab: OwnerTab
  /** Default: the tab's path. */
  path?: string
  data(input: PageInput<Part, Path>): Promise<Own>
  /** @returns sections of the tab */
  view(locale: OwnerLocale, data: Own & OwnerTabData): Content
}

export const ownerPage = <Own extends object>(declaration: Declaration<Own>) => {
  const { tab, path = ownerPath('{id}', tab), query = [], data, view, ...others } = declaration
  return page<Own & OwnerTabData, Part, Path>({
    ...others,
    ...OWNER,
    path: path as Path,
    query: [...query, 'saved'],
    async data(input) {
      const { api, params, refused } = input
      // The API refuses the listing to visitors other than the owner, members and administrators.
      const listing = api.get('/servers/{id}/listing', { path: { id: params.id } })
      const [server, own] = await Promise.all([listing, data(input)])
      if (!mayOn(server, TABS[tab]))
        throw new ApiError(403, 'forbidden', 'Your role on this server does not include this.')
      return { server, refused, saved: input.query.saved, now: Date.now(), ...own }
    },
    head: (_locale, { server }) => ({ title: server.name, noindex: true }),
    view: ownerTab(tab, view),
  })
}

/** @returns id and name of each game, sorted by name */
export async function gameNames(api: Client): Promise<(readonly [string, string])[]> {
  const { games } = await api.get('/games')
  return games.map(({ id, name }) => [id, name] as const).sort(([, a], [, b]) => a.localeCompare(b))
}
