// An owner's endpoints: the list, and adding one.
import { area, buttonForm, field, form, type RefusedForm } from '../fields.ts'
import { checks, shownOnce } from '../forms.ts'
import { type Content, html } from '../html.ts'
import { card, lines, tag } from '../parts.ts'
import { refusal } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { around, type OfServer, type OwnerLocale, ownerPath } from './frame.ts'

type Endpoint = Schemas['Endpoint']
type Kind = Endpoint['kind']
const KINDS = ['standard', 'votifier2', 'votifier1', 'discord'] as const satisfies readonly Kind[]
const MOST = 5

export const endpointPath = (id: string, endpointId: string) => `${ownerPath(id, 'endpoints')}/${endpointId}`

const isVote = (kind: Kind): kind is 'votifier1' | 'votifier2' => kind === 'votifier1' || kind === 'votifier2'

export const targetOf = (endpoint: Endpoint) =>
  'host' in endpoint ? `${endpoint.host}${endpoint.port === null ? '' : `:${endpoint.port}`}` : endpoint.url

/** @param endpoint of which the fields are changed; undefined: of a new one */
export function fieldsOf(
  locale: OwnerLocale,
  kind: Kind,
  refused: RefusedForm | undefined,
  endpoint?: Endpoint,
): Content {
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
      chosen:
        endpoint?.events ??
        (kind === 'discord' ? Object.keys(texts.event).filter((event) => event !== 'auction.won') : ['vote.created']),
      options: Object.entries(texts.event),
    }),
  ]
}

export const stateOf = (locale: OwnerLocale, { isActive, failingSince }: Endpoint) => {
  const { endpoints: texts } = locale.t.owner
  if (!isActive) return tag('bad', texts.disabled)
  if (failingSince) return tag('warn', locale.say(texts.failing, { date: locale.time(failingSince) }))
  return tag('good', texts.active)
}

export interface EndpointsData extends OfServer {
  endpoints: Endpoint[]
  /** Just now, with the secret that signs its deliveries. */
  added: { id: string; secret: string } | undefined
}

export function endpointsView(locale: OwnerLocale, { server, endpoints, added, refused }: EndpointsData) {
  const { endpoints: texts } = locale.t.owner
  return around(locale, server, 'endpoints', [
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
                <p class="hint">${endpoint.events.map((event) => texts.event[event]).join(' · ')}</p>
              </div>
              ${stateOf(locale, endpoint)}
              ${buttonForm({ fields: { action: 'test' }, label: texts.test, to: locale.href(endpointPath(server.id, endpoint.id)) })}
            </li>
          `,
        ),
        texts.none,
      )}
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
                  ${form(texts.add, { kind })`
                    ${fieldsOf(locale, kind, ofKind)}
                  `}
                </div>
              </details>
            `
          })}
        </section>
      `,
  ])
}
