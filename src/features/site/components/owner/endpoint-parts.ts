// Shared by the pages of endpoints: their addresses, names and fields.
import { area, field, type RefusedForm } from '../fields.ts'
import { checkboxes } from '../forms.ts'
import type { Content } from '../html.ts'
import { inEnglish, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type OwnerLocale, ownerPath, PORT } from './frame.ts'

type Endpoint = Schemas['Endpoint']

export const endpointPath = (id: string, endpointId: string) => `${ownerPath(id, 'endpoints')}/${endpointId}`

export const targetOf = (endpoint: Endpoint) =>
  'host' in endpoint ? `${endpoint.host}${endpoint.port === null ? '' : `:${endpoint.port}`}` : endpoint.url

/** @param endpoint the endpoint that the form changes; undefined: the form adds one */
export function fieldsOf(
  locale: OwnerLocale,
  kind: Endpoint['kind'],
  refused: RefusedForm | undefined,
  endpoint?: Endpoint,
): Content {
  const { endpoints: texts } = locale.t.owner
  const required = endpoint === undefined
  /** A page has the fields of several kinds, so their ids include the kind. */
  const named = (name: string) => ({ name, id: `${kind}-${name}`, refused })
  if (kind === 'votifier1' || kind === 'votifier2') {
    const now = endpoint && 'host' in endpoint ? endpoint : undefined
    const keep = endpoint && texts.keepSecret
    const host = { label: texts.host, value: now?.host, maxlength: 255, autocapitalize: 'none' }
    const token = { label: texts.token, hint: keep ?? texts.tokenHint, maxlength: 200, autocomplete: 'off' }
    const publicKey = { label: texts.publicKey, hint: keep, maxlength: 2000, class: 'code' }
    return [
      field({ ...named('host'), ...host, required }),
      field({
        ...named('port'),
        label: texts.port,
        hint: texts.portHint,
        value: now?.port,
        required: now !== undefined,
        ...PORT,
      }),
      kind === 'votifier2'
        ? field({ ...named('token'), ...token, required })
        : area({ ...named('publicKey'), ...publicKey, required }),
    ]
  }
  // The address of a Discord webhook is a secret: the API returns only its host.
  const isHidden = endpoint && kind !== 'standard'
  const value = endpoint && 'url' in endpoint && !isHidden ? endpoint.url : undefined
  const hint = isHidden ? texts.keepSecret : texts.urlHint[kind]
  const ofServers = Object.keys(texts.event).filter((event) => event !== 'auction.won')
  const chosen = endpoint?.events ?? (kind === 'discord' ? ofServers : ['vote.created'])
  const address = field({ ...named('url'), label: texts.url, hint, value, required, type: 'url', maxlength: 2000 })
  if (kind === 'discord-status') return [address]
  return [
    address,
    checkboxes({ name: 'events', label: texts.events, refused, chosen, options: Object.entries(texts.event) }),
  ]
}

/** The state of an endpoint's message, if it has one. */
export const messageState = (
  locale: OwnerLocale,
  { message: { isCreated, editedAt, error } }: Extract<Endpoint, { kind: 'discord-status' }>,
): Content => {
  const { message: texts } = locale.t.owner.endpoints
  const state = isCreated && editedAt ? locale.say(texts.edited, { date: locale.time(editedAt) }) : texts.notYet
  return error ? [state, ' · ', inEnglish(error)] : state
}

export const stateOf = (locale: OwnerLocale, { isActive, failingSince }: Endpoint) => {
  const { endpoints: texts } = locale.t.owner
  if (!isActive) return tag('bad', texts.disabled)
  if (failingSince) return tag('warn', locale.say(texts.failing, { date: locale.time(failingSince) }))
  return tag('good', texts.active)
}
