// An owner's endpoints: the list, adding one, and one with its deliveries.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { buttonForm, form, refusal } from '../../components/fields.ts'
import { shownOnce } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { endpointView, STATUSES } from '../../components/owner/endpoint.ts'
import { endpointPath, fieldsOf, messageState, stateOf, targetOf } from '../../components/owner/endpoint-parts.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { messagePreview } from '../../components/owner/message-preview.ts'
import { card, lines } from '../../components/parts.ts'
import { listOf, numberOf } from '../../form.ts'
import { pageOf } from '../../page.ts'
import { ownerPage } from './page.ts'

const KINDS = ['standard', 'votifier2', 'votifier1', 'discord', 'discord-status'] as const
const MAX_ENDPOINTS = 5

/** Converts the fields of an endpoint's form to those of the API. */
function endpointFields(form: Record<string, string>, { isNew }: { isNew: boolean }) {
  const { kind, url, host, token, publicKey } = form
  // An empty secret keeps the stored one.
  const kept = (value: string | undefined) => (isNew ? value : value || undefined)
  return withoutUndefined({
    kind: isNew ? kind : undefined, // the kind can't change
    url: kept(url),
    events: 'url' in form && kind !== 'discord-status' ? listOf(form.events) : undefined,
    host,
    port: numberOf(form.port),
    token: kept(token),
    publicKey: kept(publicKey),
  })
}

export const endpointsPage = ownerPage({
  tab: 'endpoints',
  script: 'buttons.ts',
  async data({ api, params, once }) {
    const { endpoints } = await api.get('/servers/{id}/endpoints', { path: params })
    /** The endpoint that was just added, with the secret that signs its deliveries. */
    const added = once as { id: string; secret: string } | undefined
    return { endpoints, added }
  },
  view(locale, { server, endpoints, added, refused }) {
    const { endpoints: texts } = locale.t.owner
    return [
      added &&
        shownOnce(
          locale,
          texts.secret,
          added.secret,
          html`<p><a href=${locale.href(endpointPath(server.id, added.id))}>${texts.openAdded}</a></p>`,
        ),
      card(texts.title)`
        <p class="quiet">${texts.lead}</p>
        ${lines(
          endpoints.map(
            (endpoint) => html`
              <li class="row spread">
                <div class="grow">
                  <a href=${locale.href(endpointPath(server.id, endpoint.id))}><b>${texts.kinds[endpoint.kind]}</b> ${targetOf(endpoint)}</a>
                  <p class="hint">${'message' in endpoint ? messageState(locale, endpoint) : endpoint.events.map((event) => texts.event[event]).join(' · ')}</p>
                </div>
                ${stateOf(locale, endpoint)}
                ${!('message' in endpoint) && buttonForm({ fields: { action: 'test' }, label: texts.test, to: locale.href(endpointPath(server.id, endpoint.id)) })}
              </li>
            `,
          ),
          texts.none,
        )}
      `,
      endpoints.length >= MAX_ENDPOINTS
        ? html`<p class="quiet">${texts.most}</p>`
        : html`
          <section class="card stack kinds">
            ${KINDS.map((kind) => {
              const ofKind = refused?.form.kind === kind ? refused : undefined
              return html`
                <details open=${ofKind !== undefined}>
                  <summary><b>${locale.say(texts.addKind, { kind: texts.kinds[kind] })}</b> <span class="hint">${texts.kindHints[kind]}</span></summary>
                  <div class="stack">
                    ${refusal(locale, ofKind)}
                    ${form(texts.add, { kind })`
                      ${fieldsOf(locale, kind, ofKind)}
                    `}
                    ${kind === 'discord-status' && messagePreview(locale, server)}
                  </div>
                </details>
              `
            })}
          </section>
        `,
    ]
  },
  async post({ api, form, params, locale }) {
    const body = endpointFields(form, { isNew: true }) as never
    const added = await api.post('/servers/{id}/endpoints', { path: params, body })
    // Shows the secret that the API generated; secrets of other kinds come from the owner.
    if ('secret' in added) return { id: added.id, secret: added.secret }
    return locale.href(endpointPath(params.id, added.id))
  },
})

/** The parameters of an endpoint's path. */
type EndpointParams = { id: string; endpointId: string }

export const endpointPage = ownerPage({
  tab: 'endpoints',
  path: '/my/servers/{id}/endpoints/{endpointId}',
  query: ['status', 'page', 'done'],
  script: 'endpoint.ts',
  async data({ api, params, query, once }) {
    const path = params as EndpointParams
    const status = STATUSES.find((one) => one === query.status)
    const [endpoint, list] = await Promise.all([
      api.get('/servers/{id}/endpoints/{endpointId}', { path }),
      api.get('/servers/{id}/endpoints/{endpointId}/deliveries', {
        path,
        query: { ...pageOf(query), ...withoutUndefined({ status }) },
      }),
    ])
    const secret = once?.secret as string | undefined
    return { endpoint, ...list, status, secret, done: query.done }
  },
  view: endpointView,
  async post({ api, form, params, query, locale }) {
    const path = params as EndpointParams
    const { action, deliveryId = '' } = form
    if (action === 'rotate') {
      const { secret } = await api.post('/servers/{id}/endpoints/{endpointId}/rotate-secret', { path })
      return { secret }
    }
    if (action === 'remove') {
      await api.delete('/servers/{id}/endpoints/{endpointId}', { path })
      return locale.href(ownerPath(path.id, 'endpoints'))
    }
    if (action === 'test') await api.post('/servers/{id}/endpoints/{endpointId}/test', { path })
    else if (action === 'redeliver')
      await api.post('/servers/{id}/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver', {
        path: { ...path, deliveryId },
      })
    else {
      const body = endpointFields(form, { isNew: false }) as never
      await api.patch('/servers/{id}/endpoints/{endpointId}', { path, body })
    }
    const { status, page } = query
    return locale.href(endpointPath(path.id, path.endpointId), { status, page, done: action })
  },
})
