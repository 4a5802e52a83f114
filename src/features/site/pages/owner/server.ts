// A server of an owner: its overview, listing, console and wipes.
import { type EditData, editView } from '../../components/owner/edit.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { type OverviewData, overviewView } from '../../components/owner/overview.ts'
import { type RconData, rconView } from '../../components/owner/rcon.ts'
import { type WipesData, wipesView } from '../../components/owner/wipes.ts'
import { rangeOf } from '../../components/player-chart.ts'
import type { Schemas } from '../../components/types.ts'
import { given } from '../../form.ts'
import { gameNames, idOf, ifListed, listOf, numberOf, orBusy, ownerPage, pageOf } from './page.ts'

const serverOverviewPage = ownerPage<OverviewData>({
  path: '/my/servers/{id}',
  query: ['range'],
  async data({ api, params, query }) {
    const [subscription, listed] = await Promise.all([
      ifListed(api.get('/servers/{id}/notifications', idOf(params))),
      ifListed(api.get('/servers/{id}', idOf(params))),
    ])
    return { range: rangeOf(query.range), subscribed: subscription?.events, rank: listed?.rank }
  },
  view: overviewView,
  async post({ api, form, params, locale }) {
    const events = listOf(form.events) as Schemas['ServerSubscription']['events']
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

const editPage = ownerPage<EditData>({
  path: '/my/servers/{id}/edit',
  data: async ({ api }) => ({ games: await gameNames(api) }),
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

const rconPage = ownerPage<RconData>({
  path: '/my/servers/{id}/rcon',
  script: 'rcon.ts',
  async data({ api, params, once }) {
    const transcript = (once?.transcript ?? []) as RconData['transcript']
    return { rcon: await api.get('/servers/{id}/rcon', idOf(params)), transcript }
  },
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

const wipesPage = ownerPage<WipesData>({
  path: '/my/servers/{id}/wipes',
  query: ['page'],
  async data({ api, params, query }) {
    const list = api.get('/servers/{id}/wipe-history', { ...idOf(params), query: pageOf(query) })
    return { list: await ifListed(list) }
  },
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
    return locale.href(ownerPath(id, 'wipes'), { saved: action })
  },
})

export const OWNED_SERVER_PAGES = [serverOverviewPage, editPage, rconPage, wipesPage]
