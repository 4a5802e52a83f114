// An endpoint: its settings, and its deliveries with their attempts.
import { buttonForm, form, refusal, refusedOf } from '../fields.ts'
import { confirmButton, copyBlock, savedNotice, shownOnce } from '../forms.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { ago, breadcrumb, inEnglish, lines, links, notice, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { endpointPath, fieldsOf, messageState, stateOf, targetOf } from './endpoint-parts.ts'
import { type OwnerLocale, type OwnerTabData, ownerPath } from './frame.ts'
import { messagePreview } from './message-preview.ts'

type Endpoint = Schemas['Endpoint']

export const STATUSES = ['pending', 'delivered', 'dead', 'canceled'] as const

export interface EndpointData extends OwnerTabData {
  endpoint: Endpoint
  deliveries: Schemas['WebhookDelivery'][]
  pagination: Schemas['Pagination']
  /** The filter of the log. */
  status: (typeof STATUSES)[number] | undefined
  /** The secret that was just generated. */
  secret: string | undefined
  done: string | undefined
}

export function endpointView(locale: OwnerLocale, data: EndpointData) {
  const { owner, forms } = locale.t
  const { endpoints: texts } = owner
  const { server, endpoint, deliveries, pagination, status, secret, refused, done } = data
  const path = endpointPath(server.id, endpoint.id)
  const ofEdit = refusedOf(refused, 'edit')
  return [
    breadcrumb(locale, ownerPath(server.id, 'endpoints'), texts.back),
    secret && shownOnce(locale, texts.secret, secret),
    done === 'test' && notice('good', texts.tested),
    savedNotice(locale, done === 'edit'),
    refused && !ofEdit && refusal(locale, refused),
    html`
      <section class="card stack">
        <div class="row spread">
          <h2 class="grow">${texts.kinds[endpoint.kind]} ${targetOf(endpoint)}</h2>
          ${stateOf(locale, endpoint)}
          ${!('message' in endpoint) && buttonForm({ fields: { action: 'test' }, label: texts.test, look: '' })}
        </div>
        ${'message' in endpoint && html`<p class="hint">${messageState(locale, endpoint)}</p>`}
        ${notice('bad', endpoint.disabledReason && texts.reasons[endpoint.disabledReason])}
      </section>
    `,
    'message' in endpoint
      ? messagePreview(locale, server)
      : html`
      <section class="card stack deliveries">
        <div class="row spread">
          <h2>${texts.log}</h2>
          ${links(
            'sorts',
            texts.log,
            [undefined, ...STATUSES].map((one) => ({
              href: locale.href(path, { status: one }),
              name: one ? texts.statuses[one] : texts.all,
              isHere: one === status,
            })),
          )}
        </div>
        ${lines(
          deliveries.map((one) => delivery(locale, one, data.now)),
          texts.nothing,
        )}
        ${pager(locale, pagination, (page) => locale.href(path, { status, page }))}
      </section>
    `,
    html`
      <section class="card stack">
        <details open=${ofEdit !== undefined}>
          <summary><b>${texts.settings}</b></summary>
          <div class="stack">
            ${refusal(locale, ofEdit)}
            ${form(forms.save, { action: 'edit', kind: endpoint.kind })`
              ${fieldsOf(locale, endpoint.kind, ofEdit, endpoint)}
            `}
          </div>
        </details>
        <div class="row">
          ${endpoint.kind === 'standard' && confirmButton({ fields: { action: 'rotate' }, label: texts.rotate, warning: texts.rotateWarning, confirm: texts.rotateConfirm })}
          ${confirmButton({ fields: { action: 'remove' }, label: texts.remove, warning: 'message' in endpoint ? texts.message.removeWarning : texts.removeWarning, confirm: texts.removeConfirm })}
        </div>
      </section>
    `,
  ]
}

const TONES = { pending: '', delivered: 'good', dead: 'bad', canceled: 'warn' } as const

function delivery(locale: OwnerLocale, one: Schemas['WebhookDelivery'], now: number) {
  const { endpoints: texts } = locale.t.owner
  const { id, type, status, attempts, createdAt, nextAttemptAt, payload, log } = one
  const event: string = texts.event[type as keyof typeof texts.event] ?? texts.test1
  const last = log.at(-1)
  return html`
    <li key=${id}>
      <details>
        <summary>
          ${tag(TONES[status], texts.statuses[status])} <b>${event}</b>${' '}<span class="hint">${ago(locale, createdAt, now)} · ${locale.say(texts.attempts, { n: Math.max(attempts, log.length) })}${nextAttemptAt && attempts > 0 ? html` · ${locale.say(texts.nextAttempt, { when: locale.relative(nextAttemptAt, now) })}` : ''}</span>
          ${last?.error && status !== 'delivered' && html`<span class="problem">${inEnglish(last.error)}</span>`}
        </summary>
        <div class="stack">
          <ol class="attempts">
            ${log.map(
              ({ number, at, status: code, latencyMs, error, response }) => html`
                <li>
                  <p>${locale.number(number)}. ${locale.time(at)} · ${code === null ? (error ? inEnglish(error) : texts.noAnswer) : `HTTP ${code}`} · ${locale.number(latencyMs)} ms</p>
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
