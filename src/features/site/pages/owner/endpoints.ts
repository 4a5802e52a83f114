// The endpoints of a server.
import { type EndpointData, endpointView, STATUSES } from '../../components/owner/endpoint.ts'
import { type EndpointsData, endpointPath, endpointsView } from '../../components/owner/endpoints.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { given } from '../../form.ts'
import { idOf, listOf, numberOf, ownerPage, pageOf } from './page.ts'

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

const endpointsPage = ownerPage<EndpointsData>({
  path: '/my/servers/{id}/endpoints',
  script: 'buttons.ts',
  async data({ api, params, once }) {
    const { endpoints } = await api.get('/servers/{id}/endpoints', idOf(params))
    return { endpoints, added: once as EndpointsData['added'] }
  },
  view: endpointsView,
  async post({ api, form, params, locale }) {
    const { id = '' } = params
    const body = endpointFields(form, true) as never
    const added = await api.post('/servers/{id}/endpoints', { ...idOf(params), body })
    // The secret that the API made; those of other kinds are their owner's.
    if ('secret' in added) return { id: added.id, secret: added.secret }
    return locale.href(endpointPath(id, added.id))
  },
})

const endpointPage = ownerPage<EndpointData>({
  path: '/my/servers/{id}/endpoints/{endpointId}',
  query: ['status', 'page', 'done'],
  script: 'endpoint.ts',
  async data({ api, params, query, once }) {
    const { id = '', endpointId = '' } = params
    const path = { id, endpointId }
    const status = STATUSES.find((one) => one === query.status)
    const [endpoint, list] = await Promise.all([
      api.get('/servers/{id}/endpoints/{endpointId}', { path }),
      api.get('/servers/{id}/endpoints/{endpointId}/deliveries', {
        path,
        query: { ...pageOf(query), ...given({ status }) },
      }),
    ])
    const secret = once?.secret as string | undefined
    return { endpoint, ...list, status, secret, done: query.done }
  },
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

export const ENDPOINT_PAGES = [endpointsPage, endpointPage]
