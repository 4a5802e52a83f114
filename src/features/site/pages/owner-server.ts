// The pages of an owner's server: overview, listing, endpoints, votes, rewards, console, wipes.
import {
  type EndpointData,
  type EndpointsData,
  endpointPath,
  endpointsView,
  endpointView,
  STATUSES,
} from '../components/endpoints.ts'
import { ownerPath, RANGES, type Range } from '../components/owner.ts'
import {
  type EditData,
  editView,
  type OverviewData,
  overviewView,
  type RconData,
  type RewardsData,
  rconView,
  rewardsView,
  type VotesData,
  votesView,
  type WipesData,
  wipesView,
} from '../components/owner-server.ts'
import { given } from '../form.ts'
import { page } from '../page.ts'
import { gameNames, numberOf, OWNER, orBusy, serverOf } from './owner.ts'

const idOf = ({ id = '' }: Record<string, string>) => ({ path: { id } })
const listOf = (chosen: string | undefined) => (chosen ? chosen.split(',') : [])
const pageOf = (query: Record<string, string>) => given({ page: query.page as number | undefined })

export const serverOverviewPage = page({
  ...OWNER,
  path: '/my/servers/{id}',
  query: ['range', 'saved'],
  async data({ api, params, query, refused }): Promise<OverviewData> {
    const [server, { events }] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/notifications', idOf(params)),
      api.get('/servers/{id}/rcon', idOf(params)), // refused to others than the owner
    ])
    const range = RANGES.find((one) => one === query.range) ?? '24h'
    return { server, range: range satisfies Range, subscribed: events, refused, saved: query.saved, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: overviewView,
  async post({ api, form, params, locale }) {
    const events = listOf(form.events) as OverviewData['subscribed'] as ('serverOffline' | 'serverOnline')[]
    if (events.length > 0) await api.put('/servers/{id}/notifications', { ...idOf(params), body: { events } })
    else await api.delete('/servers/{id}/notifications', idOf(params))
    return locale.href(ownerPath(params.id ?? ''), { saved: 'events' })
  },
})

const EDITED = [
  'name',
  'description',
  'ipAddress',
  'game',
  'region',
  'tags',
  'gameMode',
  'website',
  'chatUrl',
  'bannerUrl',
  'rates',
  'mods',
] as const

export const editPage = page({
  ...OWNER,
  path: '/my/servers/{id}/edit',
  query: ['saved'],
  async data({ api, params, query, refused }): Promise<EditData> {
    const [server, games] = await Promise.all([
      serverOf(api, params),
      gameNames(api),
      api.get('/servers/{id}/rcon', idOf(params)),
    ])
    return { server, games, refused, saved: query.saved, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: editView,
  async post({ api, form, params, locale }) {
    if (form.action === 'remove') {
      await api.delete('/servers/{id}', idOf(params))
      return locale.href('/my/servers')
    }
    if (form.action === 'stop') await api.post('/servers/{id}/claim/stop', idOf(params))
    else {
      const texts = Object.fromEntries(EDITED.map((name) => [name, form[name]]))
      const ports = { gamePort: numberOf(form.gamePort), queryPort: numberOf(form.queryPort) }
      await api.patch('/servers/{id}', { ...idOf(params), body: given({ ...texts, ...ports }) })
    }
    return locale.href(ownerPath(params.id ?? '', 'edit'), { saved: form.action })
  },
})

/** The fields of an endpoint's form, as the API takes them. */
function endpointFields(form: Record<string, string>, isNew: boolean) {
  const { kind, url, host, token, publicKey } = form
  // An empty secret keeps the stored one.
  const kept = (value: string | undefined) => (isNew ? value : value || undefined)
  return given({
    kind,
    url: kept(url),
    events: 'url' in form ? listOf(form.events) : undefined,
    host,
    port: numberOf(form.port),
    token: kept(token),
    publicKey: kept(publicKey),
  })
}

export const endpointsPage = page({
  ...OWNER,
  path: '/my/servers/{id}/endpoints',
  async data({ api, params, refused }): Promise<EndpointsData> {
    const [server, { endpoints }] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/endpoints', idOf(params)),
    ])
    return { server, endpoints, refused }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: endpointsView,
  async post({ api, form, params, locale }) {
    const { id = '' } = params
    const body = endpointFields(form, true) as never
    const added = await api.post('/servers/{id}/endpoints', { ...idOf(params), body })
    return locale.href(endpointPath(id, added.id))
  },
})

export const endpointPage = page({
  ...OWNER,
  path: '/my/servers/{id}/endpoints/{endpointId}',
  query: ['status', 'page', 'done'],
  script: 'endpoint.ts',
  async data({ api, params, query, refused, once }): Promise<EndpointData> {
    const { id = '', endpointId = '' } = params
    const path = { id, endpointId }
    const status = STATUSES.find((one) => one === query.status)
    const [server, endpoint, list] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/endpoints/{endpointId}', { path }),
      api.get('/servers/{id}/endpoints/{endpointId}/deliveries', {
        path,
        query: { ...pageOf(query), ...given({ status }) },
      }),
    ])
    const secret = once?.secret as string | undefined
    return { server, endpoint, ...list, status, secret, refused, done: query.done, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: endpointView,
  async post({ api, form, params, locale }) {
    const { id = '', endpointId = '' } = params
    const { action, deliveryId = '' } = form
    const path = { id, endpointId }
    if (action === 'rotate') {
      const { secret } = await api.post('/servers/{id}/endpoints/{endpointId}/rotate-secret', { path })
      return { secret }
    }
    if (action === 'remove') {
      await api.delete('/servers/{id}/endpoints/{endpointId}', { path })
      return locale.href(ownerPath(id, 'endpoints'))
    }
    if (action === 'test') await api.post('/servers/{id}/endpoints/{endpointId}/test', { path })
    else if (action === 'redeliver')
      await api.post('/servers/{id}/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver', {
        path: { ...path, deliveryId },
      })
    else {
      const body = endpointFields(form, false) as never
      await api.patch('/servers/{id}/endpoints/{endpointId}', { path, body })
    }
    return locale.href(endpointPath(id, endpointId), { done: action })
  },
})

export const votesPage = page({
  ...OWNER,
  path: '/my/servers/{id}/votes',
  query: ['cursor'],
  script: 'buttons.ts',
  async data({ api, params, query, refused, once, origin }): Promise<VotesData> {
    const path = idOf(params)
    const [server, { keys }, { votes, nextCursor }, { voters }] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/vote-key', path),
      api.get('/servers/{id}/votes', { ...path, query: given({ cursor: query.cursor }) }),
      api.get('/servers/{id}/votes/top', path),
    ])
    const voteKey = once?.voteKey as string | undefined
    return { server, keys, voteKey, votes, nextCursor, voters, origin, refused, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: votesView,
  async post({ api, form, params, locale }) {
    if (form.action === 'make') {
      const { voteKey } = await api.post('/servers/{id}/vote-key', idOf(params))
      return { voteKey }
    }
    await api.delete('/servers/{id}/vote-key', idOf(params))
    return locale.href(ownerPath(params.id ?? '', 'votes'))
  },
})

export const rewardsPage = page({
  ...OWNER,
  path: '/my/servers/{id}/rewards',
  query: ['page', 'saved'],
  async data({ api, params, query, refused }): Promise<RewardsData> {
    const path = idOf(params)
    const [server, settings, list, rcon] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/vote-rewards', path),
      api.get('/servers/{id}/vote-rewards/log', { ...path, query: pageOf(query) }),
      api.get('/servers/{id}/rcon', path),
    ])
    return { server, settings, ...list, hasRcon: rcon.isConfigured, refused, saved: query.saved, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: rewardsView,
  async post({ api, form, params, locale }) {
    const { id = '' } = params
    if (form.action === 'remove') await api.delete('/servers/{id}/vote-rewards', idOf(params))
    else {
      const commands = (form.commands ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
      const when = form.when as 'vote' | 'claim'
      await api.put('/servers/{id}/vote-rewards', { ...idOf(params), body: { when, commands } })
    }
    return locale.href(ownerPath(id, 'rewards'), { saved: form.action })
  },
})

export const rconPage = page({
  ...OWNER,
  path: '/my/servers/{id}/rcon',
  query: ['saved'],
  script: 'rcon.ts',
  async data({ api, params, query, refused, once }): Promise<RconData> {
    const [server, rcon] = await Promise.all([serverOf(api, params), api.get('/servers/{id}/rcon', idOf(params))])
    const transcript = (once?.transcript ?? []) as RconData['transcript']
    return { server, rcon, transcript, refused, saved: query.saved, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: rconView,
  async post({ api, form, params, locale }) {
    const { action, command = '', password = '' } = form
    if (action === 'send') {
      const answer = await orBusy(api.post('/servers/{id}/rcon', { ...idOf(params), body: { command } }))
      const said = answer === 'busy' ? { problem: locale.t.owner.rcon.busy } : answer
      return { transcript: [{ command, ...said }] }
    }
    if (action === 'remove') await api.delete('/servers/{id}/rcon', idOf(params))
    else
      await api.put('/servers/{id}/rcon', {
        ...idOf(params),
        body: { port: numberOf(form.port) ?? Number.NaN, password },
      })
    return locale.href(ownerPath(params.id ?? '', 'rcon'), { saved: action })
  },
})

export const wipesPage = page({
  ...OWNER,
  path: '/my/servers/{id}/wipes',
  query: ['page'],
  async data({ api, params, query, refused }): Promise<WipesData> {
    const path = idOf(params)
    const [server, list] = await Promise.all([
      serverOf(api, params),
      api.get('/servers/{id}/wipe-history', { ...path, query: pageOf(query) }),
      api.get('/servers/{id}/rcon', path),
    ])
    return { server, ...list, refused, now: Date.now() }
  },
  head: (_locale, { server }) => ({ title: server.name, noindex: true }),
  view: wipesView,
  async post({ api, form, params, locale }) {
    const { action, id: wipeId = '', note = '' } = form
    const { id = '' } = params
    if (action === 'remove') await api.delete('/servers/{id}/wipe-history/{wipeId}', { path: { id, wipeId } })
    else {
      const kind = form.kind as 'full'
      // The field has no time zone; seconds only if they were typed.
      const wipedAt = form.wipedAt && `${form.wipedAt.length > 16 ? form.wipedAt : `${form.wipedAt}:00`}Z`
      await api.post('/servers/{id}/wipe-history', {
        path: { id },
        body: { kind, note, ...given({ wipedAt: wipedAt || undefined }) },
      })
    }
    return locale.href(ownerPath(id, 'wipes'))
  },
})
