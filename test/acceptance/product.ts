// The product as `npm start` runs it, with simulated remote ends; all sections of a test file share it.
import { expect } from 'vitest'
import { type SimulatedServer, startSimulatedServer } from '../../dev/simulator/server.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { startFakeChatProvider } from '../support/fake-chat-provider.ts'
import { startFakeGamePlatform } from '../support/fake-game-platform.ts'
import { type NameRecord, startNameServer } from '../support/name-server.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { startPushService } from '../support/push-service.ts'
import {
  openDatabaseOf,
  type Person,
  type Product,
  registerAt,
  startProduct,
  WAIT_OPTIONS,
} from '../support/started-product.ts'

export {
  openDatabaseOf,
  PASSWORD,
  type Person,
  type Product,
  startProduct,
  WAIT_OPTIONS,
} from '../support/started-product.ts'

export const OPERATOR_EMAIL = 'operator@example.com'
/** A valid id that does not exist. */
export const UNKNOWN_ID = '019abcde-0000-7000-8000-000000000000'

export const chatProvider = await startFakeChatProvider()
export const gamePlatform = await startFakeGamePlatform()
export const pushService = await startPushService()
/** DNS as the workers see it: each test has names of its own. */
export const dnsRecords: Record<string, NameRecord[]> = {}
const nameServer = await startNameServer((name) => dnsRecords[name] ?? 'missing', { atEnd: atFileEnd })
atFileEnd(chatProvider.close)
atFileEnd(gamePlatform.close)

export const product = await startProduct({
  ADMIN_EMAILS: OPERATOR_EMAIL,
  DISCOVER: 'announcements',
  DNS_SERVERS: nameServer.address,
  LISTINGS_PER_ACCOUNT: '1000', // the largest page has 100 servers of one owner
  POLL_INTERVAL_SECONDS: '5',
  WEBHOOK_RETRY_SCALE: '0.02',
  DISCORD_CLIENT_ID: chatProvider.clientId,
  DISCORD_CLIENT_SECRET: chatProvider.clientSecret,
  DISCORD_BASE_URL: chatProvider.origin,
  STEAM_OPENID_BASE_URL: gamePlatform.baseUrl,
  PUSH_SERVICE_BASE_URL: pushService.origin,
})
/** PUBLIC_BASE_URL, whose forms the site accepts. */
export const siteUrl = product.url.replace('127.0.0.1', 'localhost')

/** Only for what no request can cause: elapsed time and faults. */
export const database = await openDatabaseOf(product)

/** A client without a session, at its own address so that tests do not share limits. */
export const newVisitor = (at: Product = product): Client => createClient(at)

/** Registers a user as people do. @param email a new one unless given */
export const register = (email?: string, at: Product = product): Promise<Person> => registerAt(at, email)

/** The administrator, registered once. */
export const operator = await register(OPERATOR_EMAIL)

/** The same user's session at another address, for tests that would use up the first address' limits. */
export function elsewhere({ client }: Pick<Person, 'client'>, at: Product = product): Client {
  const moved = newVisitor(at)
  for (const [name, value] of client.cookies) moved.cookies.set(name, value)
  return moved
}

export interface ListedServer {
  id: string
  /** Its info and faults may change freely; the next poll reads them. */
  game: SimulatedServer
  owner: Person
}

/** The response of `POST /api/servers`. */
export interface CreatedServer {
  server: { id: string; name: string }
  verificationToken: string
  message: string
}

let servers = 0
/** Lists a running game server without waiting for its first poll. Otherwise as `listServer`. */
export async function createServer(
  owner: Person,
  fields: Record<string, unknown> = {},
  info: Partial<SimulatedServer['info']> = {},
): Promise<CreatedServer & { game: SimulatedServer }> {
  const game = await startSimulatedServer({ info })
  atFileEnd(game.close)
  servers++
  const { status, body } = await owner.client.post<CreatedServer>('/api/servers', {
    name: `Server ${servers}`,
    ipAddress: game.address,
    gamePort: info.gamePort ?? 7777,
    queryPort: game.port,
    game: 'protocol-valve',
    ...fields,
  })
  expect(status).toBe(201)
  return { ...body, game }
}

/**
 * Lists a new owner's game server with `POST /api/servers` and waits for its first poll.
 * @param fields of the creation request
 * @param info that the game server reports
 */
export async function listServer(
  fields: Record<string, unknown> = {},
  info: Partial<SimulatedServer['info']> = {},
  by?: Person,
): Promise<ListedServer> {
  const owner = by ?? (await register())
  const { server, game } = await createServer(owner, fields, info)
  await expect.poll(async () => (await detailOf(server.id)).isOnline, WAIT_OPTIONS).toBe(true)
  return { id: server.id, game, owner }
}

/** The same without waiting for the first poll, for tests that do not depend on it. */
export async function newListing(fields: Record<string, unknown> = {}): Promise<Omit<ListedServer, 'game'>> {
  const owner = await register()
  return { id: (await createServer(owner, fields)).server.id, owner }
}

let ports = 21_000
/** An address without a game server or listing. Each is different, because one address is not queried much at once. */
export const newPlace = () => ({ ipAddress: '127.0.27.15', gamePort: ++ports })

/** Reads the server's detail without a session. */
export async function detailOf(id: string): Promise<Record<string, unknown>> {
  const { status, body } = await newVisitor().get(`/api/public/servers/${id}`)
  expect(status).toBe(200)
  return body
}

export interface News extends Record<string, unknown> {
  event: string
  serverId: string | null
}

/** The user's notifications in the product, newest first. */
export async function newsOf(person: Person): Promise<News[]> {
  const { status, body } = await elsewhere(person).get<{ notifications: News[] }>('/api/user/notifications')
  expect(status).toBe(200)
  return body.notifications
}
