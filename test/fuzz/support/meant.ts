// Meaningful values for a request's fields by name, since a schema alone says little about most texts.
import { randomUUID } from 'node:crypto'
import { PASSWORD, type World } from '../../architecture/authorization-world.ts'
import { createVotifierKeys } from '../../support/votifier-receiver.ts'

const PUBLIC_KEY = createVotifierKeys().publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

/** Endpoints of the kinds that the authorization table's world does not have, with all their fields. */
export const OTHER_ENDPOINTS = {
  votifier2: { host: 'play.example.com', port: 8192, token: 'a-token' },
  votifier1: { host: 'play.example.com', port: 8192, publicKey: PUBLIC_KEY },
  discord: { url: 'https://discord.com/api/webhooks/1/a-token', events: ['vote.created'] },
  'discord-status': { url: 'https://discord.com/api/webhooks/1/a-token' },
}
type EndpointKind = keyof typeof OTHER_ENDPOINTS
export const ENDPOINT_KINDS = Object.keys(OTHER_ENDPOINTS) as EndpointKind[]

/** The authorization table's world, with cursors of the change feed and of the list, and an endpoint of each kind. */
export interface FuzzWorld extends World {
  otherEndpointIds: Record<EndpointKind, string>
  cursor: string
  listCursor: string
}

/** Placeholders in a generated request for values of the world, so that a seed always generates the same requests. */
export class Meant {
  readonly meant: keyof typeof MEANINGS

  constructor(meant: keyof typeof MEANINGS) {
    this.meant = meant
  }
}

let addresses = 0
/** A new address, random of 2^24. */
export function newAddress(): string {
  addresses = (addresses + 1) % 2 ** 24
  return `11.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const MINUTE_MS = 60_000
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

const MEANINGS = {
  serverId: ({ server }: FuzzWorld) => server.id,
  standardEndpointId: ({ endpointId }: FuzzWorld) => endpointId,
  votifier2EndpointId: ({ otherEndpointIds }: FuzzWorld) => otherEndpointIds.votifier2,
  votifier1EndpointId: ({ otherEndpointIds }: FuzzWorld) => otherEndpointIds.votifier1,
  discordEndpointId: ({ otherEndpointIds }: FuzzWorld) => otherEndpointIds.discord,
  'discord-statusEndpointId': ({ otherEndpointIds }: FuzzWorld) => otherEndpointIds['discord-status'],
  otherServerId: ({ otherServerId }: FuzzWorld) => otherServerId,
  serverAddress: ({ server }: FuzzWorld) => `${server.address}:7777`,
  userId: ({ people }: FuzzWorld) => people.user.id,
  memberId: ({ people }: FuzzWorld) => people.manager.id,
  viewerId: ({ people }: FuzzWorld) => people.viewer.id,
  invitationId: ({ invitationId }: FuzzWorld) => invitationId,
  keyId: ({ keyId }: FuzzWorld) => keyId,
  sessionId: ({ sessionId }: FuzzWorld) => sessionId,
  voteKey: ({ voteKey }: FuzzWorld) => voteKey,
  deliveryId: ({ deliveryId }: FuzzWorld) => deliveryId,
  wonBidId: ({ wonBidId }: FuzzWorld) => wonBidId,
  wipeId: ({ wipeId }: FuzzWorld) => wipeId,
  reportId: ({ reportId }: FuzzWorld) => reportId,
  findingId: ({ findingId }: FuzzWorld) => findingId,
  contactId: ({ contactId }: FuzzWorld) => contactId,
  blockId: ({ blockId }: FuzzWorld) => blockId,
  auctionId: ({ auctionId }: FuzzWorld) => auctionId,
  wonAuctionId: ({ wonAuctionId }: FuzzWorld) => wonAuctionId,
  slotId: ({ slotId }: FuzzWorld) => slotId,
  freeSlotId: ({ freeSlotId }: FuzzWorld) => freeSlotId,
  location: ({ location }: FuzzWorld) => location,
  verifyToken: ({ tokens }: FuzzWorld) => tokens.verify,
  resetToken: ({ tokens }: FuzzWorld) => tokens.reset,
  mailSettingsToken: ({ tokens }: FuzzWorld) => tokens.mailSettings,
  stopToken: ({ tokens }: FuzzWorld) => tokens.stopClaim,
  ownersEmail: ({ people }: FuzzWorld) => `${people.owner.id}@example.com`,
  /** Unused, and not from the seed, since a registered address stays. */
  newEmail: () => `${randomUUID()}@example.com`,
  newAddress,
  newName: () => randomUUID(),
  cursor: ({ cursor }: FuzzWorld) => cursor,
  listCursor: ({ listCursor }: FuzzWorld) => listCursor,
  cutCursor: ({ cursor }: FuzzWorld) => cursor.slice(0, -3),
  overwrittenCursor: ({ cursor }: FuzzWorld) => `${cursor.slice(0, 4)}AAAA${cursor.slice(8)}`,
  soon: () => fromNow(MINUTE_MS),
  later: () => fromNow(60 * MINUTE_MS),
  before: () => fromNow(-60 * MINUTE_MS),
  publicKey: () => PUBLIC_KEY,
} satisfies Record<string, (world: FuzzWorld) => string>

const meant = (...names: (keyof typeof MEANINGS)[]) => names.map((name) => new Meant(name))
const CURSORS = meant('cursor', 'cutCursor', 'overwrittenCursor')
const WEB_ADDRESSES = ['https://example.com/a', '']

/** Values that fit a field, the simplest first. */
const BY_FIELD: Record<string, readonly unknown[]> = {
  email: meant('newEmail', 'ownersEmail'),
  password: [PASSWORD, 'till the 8 fields'],
  currentPassword: [PASSWORD],
  newPassword: ['till the 8 fields'],
  token: meant('verifyToken', 'resetToken'),
  ipAddress: [...meant('newAddress', 'newAddress'), 'play.example.com', 'bücher.example'],
  game: ['ase', 'minecraft'],
  website: WEB_ADDRESSES,
  chatUrl: WEB_ADDRESSES,
  bannerUrl: WEB_ADDRESSES,
  avatarUrl: WEB_ADDRESSES,
  url: ['https://owner.example/hook'],
  tags: ['pvp,eu', ''],
  rates: ['xp:2,harvest:3.5', ''],
  mods: ['Structures Plus,Better Beacons', ''],
  addresses: [meant('serverAddress')],
  with: meant('otherServerId'),
  cursor: ['djA'],
  fields: ['name,map', ''],
  serverId: meant('serverId', 'otherServerId'),
  slotId: meant('slotId'),
  ownerId: [...meant('userId'), null],
  actorId: meant('userId'),
  owner: ['none', ...meant('userId')],
  startsAt: meant('soon', 'before'),
  endsAt: meant('later'),
  wipedAt: meant('before'),
  since: meant('before'),
  month: ['2026-11'],
  username: ['Someone'],
  visitorId: [...meant('newName'), 'some-visitor'],
  bidAmount: [1_000, 100_000],
  location: ['home-top'],
  command: ['status'],
  limit: ['10'],
  page: ['1'],
  q: ['serv'],
  search: ['server'],
}

/** Of all kinds. */
const ENDPOINT_FIELDS = {
  url: ['https://owner.example/hook', 'https://discord.com/api/webhooks/1/a-token'],
  host: ['play.example.com', 'bücher.example', '2606:4700::1', '127.1'],
  token: ['a-token'],
  publicKey: meant('publicKey'),
}

/** Fields with another meaning in one operation. `ids` must be distinct. */
const BY_OPERATION: Record<string, Record<string, readonly unknown[]>> = {
  'POST /announce': { ipAddress: ['play.example.com'] },
  'POST /luanti/announce': { address: ['', 'play.example.com'], mods: [['farming']] },
  'POST /auth/login': { email: meant('ownersEmail') },
  'POST /auth/verify-email': { token: meant('verifyToken'), password: [PASSWORD] },
  'POST /auth/password-reset/confirm': { token: meant('resetToken'), password: ['till the 8 fields'] },
  'POST /claims/stop': { token: meant('stopToken') },
  'GET /notifications/unsubscribe': { token: meant('mailSettingsToken') },
  'POST /notifications/unsubscribe': { token: meant('mailSettingsToken') },
  'POST /notifications/mail-settings': { token: meant('mailSettingsToken') },
  'POST /servers/lookup': { ids: [meant('serverId', 'otherServerId')] },
  'GET /servers': { cursor: [...meant('listCursor'), ''] },
  'GET /servers/stream': { ids: meant('serverId'), cursor: CURSORS },
  'GET /servers/changes': { cursor: CURSORS },
  'GET /plugins/votes': { key: meant('voteKey') },
  'POST /plugins/votes': { key: meant('voteKey') },
  'POST /servers/{id}/endpoints': ENDPOINT_FIELDS,
  'PATCH /servers/{id}/endpoints/{endpointId}': ENDPOINT_FIELDS,
  'POST /servers/{id}/handover': { userId: meant('memberId', 'userId') },
  'POST /user/notifications/read': { ids: [meant('serverId')] },
}

/** Optional fields of an operation's minimal request that rules over several fields need. */
export const ALSO_PLAIN: Record<string, Record<string, unknown>> = {
  'POST /user/password': { currentPassword: PASSWORD },
  'DELETE /user': { password: PASSWORD },
  'POST /auth/verify-email': { password: PASSWORD },
  'POST /auth/second-step': { code: '123456' },
  'POST /user/second-factor/confirm': { code: '123456' },
  'POST /user/second-factor/codes/confirm': { code: '123456' },
  'POST /user/second-factor/codes': { password: PASSWORD },
  'POST /user/second-factor/passkeys/options': { password: PASSWORD },
  'GET /servers/{id}/votes/check': { username: 'Someone' },
  'GET /plugins/votes': { username: 'Someone', action: 'status' },
  'POST /plugins/votes': { username: 'Someone', action: 'claim' },
  'POST /billing/webhook': { id: 'evt_1', type: 'customer.updated', created: 1, data: { object: { id: 'cus_1' } } },
}

export const fitting = (operation: string, field: string): readonly unknown[] =>
  BY_OPERATION[operation]?.[field] ?? BY_FIELD[field] ?? []

/** Values of a path parameter: the right one first, then another user's or another kind's. */
export function fittingInPath(operation: string, parameter: string): readonly unknown[] {
  if (parameter === 'location') return meant('location')
  if (parameter === 'wipeId') return meant('wipeId')
  if (parameter === 'endpointId')
    return meant(
      'standardEndpointId',
      'votifier2EndpointId',
      'votifier1EndpointId',
      'discordEndpointId',
      'discord-statusEndpointId',
    )
  if (parameter === 'deliveryId') return meant('deliveryId')
  if (parameter === 'userId') return meant('memberId', 'viewerId', 'userId')
  if (parameter === 'invitationId') return meant('invitationId')
  if (parameter === 'kind') return ['logo', 'banner']
  if (parameter === 'source') return ['luanti']
  if (parameter === 'bidId') return meant('wonBidId')
  if (parameter === 'name') return ['mail', 'poll', 'mail-dead']
  const [, path = ''] = operation.split(' ')
  const [, ids] = BY_PATH.find(([start]) => path.startsWith(start)) ?? []
  return ids ?? []
}

const BY_PATH: [start: string, ids: readonly unknown[]][] = [
  ['/user/api-keys/', meant('keyId')],
  ['/user/sessions/', meant('sessionId')],
  ['/user/invitations/', meant('invitationId')],
  ['/auctions/{id}/checkout', meant('wonAuctionId', 'auctionId')],
  ['/auctions/', meant('auctionId', 'wonAuctionId')],
  ['/admin/auctions/{id}/bids/', meant('wonAuctionId')],
  ['/admin/auctions/', meant('auctionId', 'wonAuctionId')],
  ['/admin/ad-slots/', meant('freeSlotId', 'slotId')],
  ['/admin/reports/{id}/void', meant('findingId', 'reportId')],
  ['/admin/reports/', meant('reportId')],
  ['/admin/contact/', meant('contactId')],
  ['/admin/discovery/blocks/', meant('blockId')],
  ['/admin/users/', meant('userId')],
  ['', meant('serverId', 'otherServerId')],
]

/** The value with its placeholders replaced. */
export function resolve(value: unknown, world: FuzzWorld): unknown {
  if (value instanceof Meant) return MEANINGS[value.meant](world)
  if (Array.isArray(value)) return value.map((item) => resolve(item, world))
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  // Not an assignment, which would set the prototype for the key `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, world)]))
}
