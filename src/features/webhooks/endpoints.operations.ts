// The operations of a server's endpoints: the list, adding and changing one, and those of each.
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { managedServer } from '../servers/index.ts'
import { encryptUrl, openUrl } from './encrypted-url.ts'
import { endpointOperations, newSecret } from './endpoint.operations.ts'
import { findWebhook, requireEndpoint, requireWebhook, viewEndpoint } from './endpoint-access.ts'
import { findEndpoints, insertEndpoint, updateEndpoint } from './endpoints.store.ts'
import type { EventType } from './event-types.ts'
import { type KindName, kindOf } from './kinds/index.ts'
import {
  AddEndpoint,
  AddedEndpoint,
  ChangeEndpoint,
  EndpointParams,
  EndpointReply,
  Endpoints,
  RotatedEndpoint,
  RotatedWebhook,
  SetWebhook,
  SetWebhookResult,
  WebhookEndpoint,
} from './webhooks.schema.ts'

const MAX_ENDPOINTS = 5
const webhook = '/servers/{id}/webhook'
const endpoints = '/servers/{id}/endpoints'
const common = { tag: 'Webhooks', access: 'user' } as const

/** Of any kind of endpoint. */
type Fields = Record<string, unknown>

export function endpointsOperations({ jobs, clock, settings }: Pick<Deps, 'jobs' | 'clock' | 'settings'>) {
  const secretCipher = createSecretCipher(settings)
  const rules = {
    requireHttps: settings.NODE_ENV === 'production',
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
    discordBaseUrl: settings.DISCORD_BASE_URL,
  }

  /** Called after the ownership check: others learn only that the server is not theirs. */
  function requireAllowed(kind: string, fields: object): void {
    const refusal = kindOf(kind).refuse(fields, rules)
    if (refusal) throw validationFailed([refusal])
  }

  /** @returns the endpoint's URL and events, and its secret if this service made it */
  async function add(tx: Db, endpoint: { id: string; serverId: string; kind: KindName }, fields: Fields) {
    const kind = kindOf(endpoint.kind)
    requireAllowed(endpoint.kind, fields)
    if ((await findEndpoints(tx, endpoint.serverId)).length >= MAX_ENDPOINTS)
      throw new ApiError(400, 'too_many_endpoints', `A server has at most ${MAX_ENDPOINTS} endpoints.`)
    const generated = kind.secret === 'generated' ? newSecret() : undefined
    const secret = generated ?? (kind.secret ? String(fields[kind.secret]) : undefined)
    const url = kind.urlOf(fields)
    const events = (fields.events as EventType[] | undefined) ?? [...(kind.events ?? [])]
    await insertEndpoint(tx, {
      ...endpoint,
      url: encryptUrl(secretCipher, url),
      events,
      secret: secret === undefined ? null : secretCipher.encrypt('webhook', secret),
    })
    return { url, events, made: generated === undefined ? {} : { secret: generated } }
  }

  return [
    operation({
      ...common,
      method: 'put',
      path: webhook,
      operationId: 'setWebhook',
      summary: 'Set the URL that events of a server are posted to',
      description:
        'The first time, the reply has the secret that signs deliveries by Standard Webhooks. Setting the webhook again keeps the ' +
        'secret, and enables a disabled webhook. It is the first of the server’s endpoints of the kind `standard`.',
      resource: managedServer({ lock: 'update', audit: 'webhook.set' }),
      body: SetWebhook,
      returns: SetWebhookResult,
      codes: ['too_many_endpoints'],
      async handle({ tx, server: { id: serverId }, body: { url, events } }) {
        requireAllowed('standard', { url })
        const before = await findWebhook(tx, serverId)
        let made = {}
        if (before)
          await updateEndpoint(tx, before.id, { url: encryptUrl(secretCipher, url), events, secret: undefined })
        // The server's id, by which processes of the previous release know it.
        else ({ made } = await add(tx, { id: serverId, serverId, kind: 'standard' }, { url, events }))
        const endpoint = viewEndpoint(secretCipher, await requireWebhook(tx, serverId), true)
        const reply = { ...endpoint, ...made } as unknown as z.output<typeof SetWebhookResult>
        return new Audited(reply, { host: new URL(url).host, events })
      },
    }),
    ...endpointOperations({ jobs, clock }, secretCipher, {
      path: webhook,
      params: z.object({}),
      operationIds: {
        get: 'getWebhook',
        delete: 'deleteWebhook',
        rotate: 'rotateWebhookSecret',
        test: 'testWebhook',
        deliveries: 'listWebhookDeliveries',
        redeliver: 'redeliverWebhook',
      },
      audit: 'webhook',
      noun: 'a server’s webhook',
      returns: WebhookEndpoint,
      rotated: RotatedWebhook,
      find: requireWebhook,
    }),
    operation({
      ...common,
      method: 'get',
      path: endpoints,
      operationId: 'listEndpoints',
      summary: 'List the endpoints that events of a server are sent to, oldest first',
      resource: managedServer(),
      returns: Endpoints,
      async handle({ db, server }) {
        const found = await findEndpoints(db, server.id)
        const shown = found.map((endpoint) => viewEndpoint(secretCipher, endpoint, server.isOwner))
        return { endpoints: shown as unknown as z.output<typeof EndpointReply>[] }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: endpoints,
      operationId: 'addEndpoint',
      summary: 'Add an endpoint that events of a server are sent to',
      description: `At most ${MAX_ENDPOINTS}. The reply for the kind \`standard\` has the secret that signs its deliveries.`,
      resource: managedServer({ lock: 'update', audit: 'endpoint.add' }),
      body: AddEndpoint,
      returns: AddedEndpoint,
      status: 201,
      codes: ['too_many_endpoints'],
      async handle({ tx, server, body }) {
        const { kind, ...fields } = body as { kind: KindName } & Fields
        const id = uuidv7()
        const { url, events, made } = await add(tx, { id, serverId: server.id, kind }, fields)
        const endpoint = viewEndpoint(secretCipher, await requireEndpoint(tx, server.id, id), true)
        const reply = { ...endpoint, ...made } as unknown as z.output<typeof AddedEndpoint>
        return new Audited(reply, { endpointId: id, kind, host: new URL(url).host, events })
      },
    }),
    operation({
      ...common,
      method: 'patch',
      path: `${endpoints}/{endpointId}`,
      operationId: 'changeEndpoint',
      summary: 'Change an endpoint, and enable it if it is disabled',
      description:
        'Fields that are not given keep their value, and so does the secret that signs deliveries. The kind can’t change.',
      resource: managedServer({ lock: 'update', audit: 'endpoint.change' }),
      params: EndpointParams,
      body: ChangeEndpoint,
      returns: EndpointReply,
      async handle({ tx, server, params: { endpointId }, body }) {
        const before = await requireEndpoint(tx, server.id, endpointId)
        const kind = kindOf(before.kind)
        const given = Object.entries(body).filter(([, value]) => value !== undefined)
        const foreign = given.filter(([name]) => !(name in kind.fields))
        if (foreign.length)
          throw validationFailed(
            foreign.map(([name]) => ({
              path: `body.${name}`,
              message: `is not a field of an endpoint of the kind ${before.kind}`,
            })),
          )
        const fields: Fields = Object.fromEntries(given)
        requireAllowed(before.kind, fields)
        const storedUrl = openUrl(secretCipher, before.url)
        const isMoved = kind.address.some((name) => name in fields)
        const [required = ''] = kind.address
        if (isMoved && storedUrl === undefined && !(required in fields))
          throw validationFailed([
            { path: `body.${required}`, message: 'must be given, because the stored one can’t be decrypted' },
          ])
        const address = storedUrl === undefined ? {} : kind.show(storedUrl, true)
        const url = isMoved ? kind.urlOf({ ...address, ...fields }) : storedUrl
        const secret = kind.secret && kind.secret !== 'generated' ? fields[kind.secret] : undefined
        await updateEndpoint(tx, endpointId, {
          // Encrypted again with any change of the target, so that attempts at the former one end.
          url: url !== undefined && (isMoved || secret !== undefined) ? encryptUrl(secretCipher, url) : undefined,
          events: fields.events as EventType[] | undefined,
          secret: secret === undefined ? undefined : secretCipher.encrypt('webhook', String(secret)),
        })
        const endpoint = viewEndpoint(secretCipher, await requireEndpoint(tx, server.id, endpointId), server.isOwner)
        return new Audited(endpoint as unknown as z.output<typeof EndpointReply>, {
          endpointId,
          fields: given.map(([name]) => name),
        })
      },
    }),
    ...endpointOperations({ jobs, clock }, secretCipher, {
      path: `${endpoints}/{endpointId}`,
      params: EndpointParams,
      operationIds: {
        get: 'getEndpoint',
        delete: 'deleteEndpoint',
        rotate: 'rotateEndpointSecret',
        test: 'testEndpoint',
        deliveries: 'listEndpointDeliveries',
        redeliver: 'redeliver',
      },
      audit: 'endpoint',
      noun: 'an endpoint',
      returns: EndpointReply,
      rotated: RotatedEndpoint,
      find: (db, serverId, { endpointId }) => requireEndpoint(db, serverId, String(endpointId)),
    }),
  ]
}
