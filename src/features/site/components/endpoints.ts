// An owner's endpoints: the list, adding one, its settings, and its deliveries with their attempts.
import {
  area,
  buttonForm,
  careful,
  checks,
  copyBlock,
  field,
  hiddenFields,
  pager,
  type RefusedForm,
  refusal,
  refusedOf,
  saved,
} from './forms.ts'
import { type Content, html } from './html.ts'
import { around, type OwnerLocale, ownerPath } from './owner.ts'
import type { Schemas, ServerDetail } from './types.ts'

type Endpoint = Schemas['Endpoint']
type Kind = Endpoint['kind']
const KINDS = ['standard', 'votifier2', 'votifier1', 'discord'] as const satisfies readonly Kind[]
const EVENTS = [
  'vote.created',
  'vote.milestone',
  'server.online',
  'server.offline',
  'server.wiped',
  'auction.won',
] as const
const MOST = 5
export const STATUSES = ['pending', 'delivered', 'dead', 'canceled'] as const

export const endpointPath = (id: string, endpointId: string) => `${ownerPath(id, 'endpoints')}/${endpointId}`

const isVote = (kind: Kind): kind is 'votifier1' | 'votifier2' => kind === 'votifier1' || kind === 'votifier2'

const addressOf = (endpoint: Endpoint) =>
  'host' in endpoint ? `${endpoint.host}${endpoint.port === null ? '' : `:${endpoint.port}`}` : endpoint.url

/** @param endpoint of which the fields are changed; undefined: of a new one */
function fieldsOf(locale: OwnerLocale, kind: Kind, refused: RefusedForm | undefined, endpoint?: Endpoint): Content {
  const { endpoints: texts } = locale.t.owner
  const required = endpoint === undefined
  const id = (name: string) => `${kind}-${name}`
  const keep = endpoint && texts.keepSecret
  if (isVote(kind)) {
    const now = endpoint && 'host' in endpoint ? endpoint : undefined
    return [
      field({
        name: 'host',
        id: id('host'),
        label: texts.host,
        value: now?.host,
        refused,
        required,
        maxlength: 255,
        autocapitalize: 'none',
      }),
      field({
        name: 'port',
        id: id('port'),
        label: texts.port,
        hint: texts.portHint,
        value: now?.port,
        refused,
        inputmode: 'numeric',
        pattern: '[0-9]{1,5}',
      }),
      kind === 'votifier2'
        ? field({
            name: 'token',
            id: id('token'),
            label: texts.token,
            hint: keep ?? texts.tokenHint,
            refused,
            required,
            maxlength: 200,
            autocomplete: 'off',
          })
        : area({
            name: 'publicKey',
            id: id('publicKey'),
            label: texts.publicKey,
            hint: keep,
            refused,
            required,
            maxlength: 2000,
            class: 'code',
          }),
    ]
  }
  // Discord's address is a secret of which only the host is shown.
  const isHidden = endpoint && kind === 'discord'
  const url = endpoint && 'url' in endpoint && !isHidden ? endpoint.url : undefined
  return [
    field({
      name: 'url',
      id: id('url'),
      label: texts.url,
      hint: isHidden ? texts.keepSecret : texts.urlHint[kind],
      value: url,
      refused,
      required,
      type: 'url',
      maxlength: 2000,
    }),
    checks({
      name: 'events',
      label: texts.events,
      refused,
      chosen: endpoint?.events ?? (kind === 'discord' ? EVENTS.slice(0, -1) : ['vote.created']),
      options: EVENTS.map((event) => [event, texts.event[event]] as const),
    }),
  ]
}

const stateOf = (locale: OwnerLocale, { isActive, failingSince }: Endpoint) => {
  const { endpoints: texts } = locale.t.owner
  if (!isActive) return html`<span class="tag is-bad">${texts.disabled}</span>`
  if (failingSince)
    return html`<span class="tag is-warn">${locale.say(texts.failing, { date: locale.time(failingSince) })}</span>`
  return html`<span class="tag is-good">${texts.active}</span>`
}

export interface EndpointsData {
  server: ServerDetail
  endpoints: Endpoint[]
  refused: RefusedForm | undefined
}

export function endpointsView(locale: OwnerLocale, { server, endpoints, refused }: EndpointsData) {
  const { endpoints: texts } = locale.t.owner
  return around(locale, server, 'endpoints', [
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        <p class="quiet">${texts.lead}</p>
        ${
          endpoints.length > 0
            ? html`
              <ul class="lines">
                ${endpoints.map(
                  (endpoint) => html`
                    <li class="row spread">
                      <div class="grow">
                        <a href=${locale.href(endpointPath(server.id, endpoint.id))}><b>${texts.kinds[endpoint.kind]}</b> ${addressOf(endpoint)}</a>
                        <p class="hint">${endpoint.events.map((event) => texts.event[event]).join(' · ')}</p>
                      </div>
                      ${stateOf(locale, endpoint)}
                      <form method="post" action=${locale.href(endpointPath(server.id, endpoint.id))} class="inline">${hiddenFields({ action: 'test' })}<button type="submit" class="quiet-button">${texts.test}</button></form>
                    </li>
                  `,
                )}
              </ul>
            `
            : html`<p class="quiet">${texts.none}</p>`
        }
      </section>
    `,
    endpoints.length >= MOST
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
                  <form method="post" class="form">
                    ${hiddenFields({ kind })} ${fieldsOf(locale, kind, ofKind)}
                    <div><button type="submit">${texts.add}</button></div>
                  </form>
                </div>
              </details>
            `
          })}
        </section>
      `,
  ])
}

export interface EndpointData {
  server: ServerDetail
  endpoint: Endpoint
  deliveries: Schemas['WebhookDelivery'][]
  pagination: Schemas['Pagination']
  /** The filter and page of the log. */
  status: string | undefined
  /** Just made. */
  secret: string | undefined
  refused: RefusedForm | undefined
  done: string | undefined
  now: number
}

export function endpointView(locale: OwnerLocale, data: EndpointData) {
  const { owner, forms } = locale.t
  const { endpoints: texts } = owner
  const { server, endpoint, deliveries, pagination, status, secret, refused, done } = data
  const path = endpointPath(server.id, endpoint.id)
  const ofEdit = refusedOf(refused, 'edit')
  return around(locale, server, 'endpoints', [
    html`<p class="crumbs"><a href=${locale.href(ownerPath(server.id, 'endpoints'))}>${texts.back}</a></p>`,
    secret &&
      html`<div class="notice is-good stack" role="status"><p><b>${texts.secret}</b></p>${copyBlock(locale, secret)}</div>`,
    done === 'test' && html`<p class="notice is-good" role="status">${texts.tested}</p>`,
    refused && !ofEdit && refusal(locale, refused),
    html`
      <section class="card stack">
        <div class="row spread">
          <h2 class="grow">${texts.kinds[endpoint.kind]} ${addressOf(endpoint)}</h2>
          ${stateOf(locale, endpoint)}
          ${buttonForm({ fields: { action: 'test' }, label: texts.test, look: '' })}
        </div>
        ${endpoint.disabledReason && html`<p class="notice is-bad">${texts.reasons[endpoint.disabledReason]}</p>`}
      </section>
    `,
    html`
      <section class="card stack">
        <div class="row spread">
          <h2>${texts.log}</h2>
          <nav class="sorts" aria-label=${texts.log}>
            ${[undefined, ...STATUSES].map((one) => html`<a href=${locale.href(path, { status: one })} aria-current=${one === status ? 'true' : null}>${one ? texts.statuses[one] : texts.all}</a>`)}
          </nav>
        </div>
        ${
          deliveries.length > 0
            ? html`<ul class="lines deliveries">${deliveries.map((one) => delivery(locale, one, data.now))}</ul>`
            : html`<p class="quiet">${texts.nothing}</p>`
        }
        ${pager(locale, pagination, (page) => locale.href(path, { status, page }))}
      </section>
    `,
    html`
      <section class="card stack">
        <details open=${ofEdit !== undefined}>
          <summary><b>${texts.settings}</b></summary>
          <div class="stack">
            ${saved(locale, done === 'edit')} ${refusal(locale, ofEdit)}
            <form method="post" class="form">
              ${hiddenFields({ action: 'edit' })} ${fieldsOf(locale, endpoint.kind, ofEdit, endpoint)}
              <div><button type="submit">${forms.save}</button></div>
            </form>
          </div>
        </details>
        <div class="row">
          ${endpoint.kind === 'standard' && careful({ fields: { action: 'rotate' }, label: texts.rotate, warning: texts.rotateWarning, confirm: texts.rotateConfirm })}
          ${careful({ fields: { action: 'remove' }, label: texts.remove, warning: texts.removeWarning, confirm: texts.removeConfirm })}
        </div>
      </section>
    `,
  ])
}

const LOOKS = { pending: '', delivered: 'is-good', dead: 'is-bad', canceled: 'is-warn' } as const

function delivery(locale: OwnerLocale, one: Schemas['WebhookDelivery'], now: number) {
  const { endpoints: texts } = locale.t.owner
  const { id, type, status, attempts, createdAt, nextAttemptAt, payload, log } = one
  const event: string = texts.event[type as keyof typeof texts.event] ?? texts.test1
  const last = log.at(-1)
  return html`
    <li key=${id}>
      <details>
        <summary>
          <span class="tag ${LOOKS[status]}">${texts.statuses[status]}</span> <b>${event}</b>${' '}<span class="hint"><time datetime=${createdAt} title=${locale.time(createdAt)}>${locale.relative(createdAt, now)}</time> · ${locale.say(texts.attempts, { n: Math.max(attempts, log.length) })}${nextAttemptAt && attempts > 0 ? html` · ${locale.say(texts.nextAttempt, { when: locale.relative(nextAttemptAt, now) })}` : ''}</span>
          ${last?.error && status !== 'delivered' && html`<span class="problem">${last.error}</span>`}
        </summary>
        <div class="stack">
          <ol class="attempts">
            ${log.map(
              ({ number, at, status: code, latencyMs, error, response }) => html`
                <li>
                  <p>${locale.number(number)}. ${locale.time(at)} · ${code === null ? (error ?? texts.noAnswer) : `HTTP ${code}`} · ${locale.number(latencyMs)} ms</p>
                  ${response && html`<p class="hint">${texts.answer}: <code dir="auto">${response}</code></p>`}
                </li>
              `,
            )}
          </ol>
          <p class="hint">${texts.payload}</p>
          ${copyBlock(locale, JSON.stringify(payload, null, 2))}
          ${status !== 'pending' && buttonForm({ fields: { action: 'redeliver', deliveryId: id }, label: texts.redeliver })}
        </div>
      </details>
    </li>
  `
}
