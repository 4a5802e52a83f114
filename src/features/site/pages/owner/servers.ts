// An owner's servers: the list, adding one after a look at its address, and the proof that it is theirs.
import type { Client } from '../../api.ts'
import { type AddData, addView } from '../../components/owner/add.ts'
import { type ClaimData, claimView } from '../../components/owner/claim.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { type OwnedData, ownedView } from '../../components/owner/servers.ts'
import { given } from '../../form.ts'
import { page } from '../../page.ts'
import { gameNames, idOf, ifListed, numberOf, OWNER, orBusy, orIf, pageOf } from './page.ts'

const ownedPage = page({
  ...OWNER,
  path: '/my/servers',
  query: ['page'],
  data: ({ api, query }): Promise<OwnedData> => api.get('/user/servers', { query: pageOf(query) }),
  head: (locale) => ({ title: locale.t.owner.list.title, noindex: true }),
  view: ownedView,
})

const addPage = page({
  ...OWNER,
  path: '/my/servers/new',
  script: 'buttons.ts',
  async data({ api, refused, once }): Promise<AddData> {
    const games = await gameNames(api)
    const { typed = {}, probe, problem } = (once ?? {}) as Partial<AddData>
    return { games, typed, probe, problem, refused }
  },
  head: (locale) => ({ title: locale.t.owner.add.title, noindex: true }),
  view: addView,
  async post({ api, form, locale }) {
    const { action, ipAddress = '', game = '', name = '', description = '', tags = '' } = form
    const ports = {
      gamePort: Number(form.gamePort?.trim() || Number.NaN),
      ...given({ queryPort: numberOf(form.queryPort) }),
    }
    const address = { ipAddress, game, ...ports }
    if (action === 'create') {
      const { server } = await api.post('/servers', { body: { ...address, name, description, tags } })
      return locale.href(ownerPath(server.id, 'claim'), { new: 'true' })
    }
    const probe = await orBusy(api.post('/servers/probe', { body: address }))
    return { typed: form, ...(probe === 'busy' ? { problem: 'busy' } : { probe }) }
  },
})

/** The server as its owner reads it, else as everyone does while it is listed. */
async function claimedServer(api: Client, id: Record<string, string>): Promise<Pick<ClaimData, 'server' | 'isListed'>> {
  const own = await orIf(403, undefined, api.get('/servers/{id}/listing', idOf(id)))
  const server = own ?? (await ifListed(api.get('/servers/{id}', idOf(id))))
  return { server, isListed: own ? own.visibility === 'listed' : server !== undefined }
}

const claimPage = page({
  ...OWNER,
  path: '/my/servers/{id}/claim',
  script: 'buttons.ts',
  query: ['new'],
  async data({ api, params, query, refused, once }): Promise<ClaimData> {
    const [listing, claim] = await Promise.all([
      claimedServer(api, params),
      api.get('/servers/{id}/claim', idOf(params)),
    ])
    return {
      id: params.id ?? '',
      ...listing,
      claim,
      checked: once?.message as string | undefined,
      problem: once?.problem === 'busy',
      isNew: query.new === 'true',
      refused,
    }
  },
  head: (locale) => ({ title: locale.t.owner.claim.title, noindex: true }),
  view: claimView,
  async post({ api, form, params: { id = '' }, query, locale }) {
    const here = locale.href(ownerPath(id, 'claim'), given({ new: query.new }))
    if (form.action === 'claim') {
      await api.post('/servers/{id}/claim', { path: { id } })
      return here
    }
    const result = await orBusy(api.post('/servers/{id}/claim/verify', { path: { id } }))
    if (result === 'busy') return { problem: 'busy' }
    return result.status === 'verified' ? here : { message: result.message }
  },
})

export const OWNER_PAGES = [ownedPage, addPage, claimPage]
