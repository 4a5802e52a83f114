// What polls write besides the status: profiles and icons, the port that was found, and Minecraft's two editions.
import { beforeEach, describe, expect, it } from 'vitest'
import { createServers, type NewServerInput } from '../../../src/features/servers/index.ts'
import { emptyTables } from '../../support/database.ts'
import { type NameAnswer, startNameServer } from '../../support/name-server.ts'
import { bedrockServer, minecraftServer } from './minecraft-server.ts'
import { png } from './png.ts'
import { createTestDirectory, createTestPoller } from './support.ts'

const directory = await createTestDirectory()
const { pool } = directory
const servers = createServers({ pool })
const FAVICON = `data:image/png;base64,${png().toString('base64')}`

beforeEach(() => emptyTables(pool, 'servers', 'icons'))

const list = async (fields: Partial<NewServerInput>): Promise<string> =>
  (await servers.add({ name: 'A server', ipAddress: '127.88.9.1', game: 'minecraft', ...fields })).id

async function shown(id: string) {
  const { rows } = await pool.query(
    `select name, game_port as "gamePort", profile, png is not null as "hasIcon", is_online as "isOnline",
       current_players as players, java_online as java, bedrock_online as bedrock
     from servers join server_status on server_id = id
     left join server_profiles using (server_id) left join icons on hash = icon_hash
     where id = $1`,
    [id],
  )
  return rows[0]
}

/** Any name that has no records is missing. */
async function pollerWith(records: Record<string, NameAnswer>) {
  const { address } = await startNameServer((name) => records[name] ?? 'missing')
  return createTestPoller(directory, { nameServers: [address] })
}

describe('a poll', () => {
  it('stores the icon and the message of a server, and its name if the owner wants that', async () => {
    const place = await minecraftServer('127.88.9.2', { description: '§aHello §lworld', favicon: FAVICON })
    const address = { ipAddress: place.address, gamePort: place.port }
    const id = await list({ ...address, nameFromServer: true })
    await createTestPoller(directory).cycle()
    expect(await shown(id)).toMatchObject({
      name: 'Hello world',
      hasIcon: true,
      profile: { motd: '§aHello §lworld', name: 'Hello world' },
    })
  })

  it('does not take a name with fewer characters than a listing needs', async () => {
    const place = await minecraftServer('127.88.9.20', { description: '🎮🎮' })
    const id = await list({ ipAddress: place.address, gamePort: place.port, nameFromServer: true })
    await createTestPoller(directory).cycle()
    expect(await shown(id)).toMatchObject({ name: 'A server', isOnline: true })
  })

  it('follows the service of a name without a port, says the name in the handshake, and stores the port', async () => {
    const hosts: string[] = []
    const place = await minecraftServer('127.88.9.3', ({ host }) => {
      hosts.push(host)
      return { description: 'By name' }
    })
    const poller = await pollerWith({
      '_minecraft._tcp.play.example': [{ port: place.port, target: 'node.example' }],
      'node.example': [place.address],
    })
    const id = await list({ ipAddress: 'play.example' })
    await poller.cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, gamePort: place.port })
    await poller.cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, gamePort: place.port })
    expect(new Set(hosts)).toEqual(new Set(['play.example']))
  })

  it('shows the usual port again once the service is gone', async () => {
    const id = await list({ ipAddress: 'play.example' })
    await pool.query('update servers set game_port = 25570 where id = $1', [id])
    const place = await minecraftServer('127.88.9.4', { description: 'At the usual port' }, 25_565)
    const poller = await pollerWith({ 'play.example': [place.address] })
    await poller.cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, gamePort: 25_565 })
  })

  it('of both editions shows the players of Java, those of Bedrock if only that one answers, and never the sum', async () => {
    const java = await minecraftServer('127.88.9.5', { description: 'Java' })
    const bedrock = await bedrockServer('127.88.9.5')
    const both = { bedrockAddress: bedrock.address, bedrockPort: bedrock.port }
    const id = await list({ ipAddress: java.address, gamePort: java.port, ...both })
    const silent = await list({ ipAddress: '127.88.9.6', gamePort: 9, ...both })
    await createTestPoller(directory).cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, players: 3, java: true, bedrock: true })
    expect(await shown(silent)).toMatchObject({ isOnline: true, players: 5, java: false, bedrock: true })
  })

  it('keeps the port of the service of Java while only Bedrock answers', async () => {
    let isDown = false
    const java = await minecraftServer('127.88.9.8', () => (isDown ? undefined : {}))
    const bedrock = await bedrockServer('127.88.9.8')
    const poller = await pollerWith({
      '_minecraft._tcp.play.example': [{ port: java.port, target: 'node.example' }],
      'node.example': [java.address],
    })
    const id = await list({ ipAddress: 'play.example', bedrockAddress: bedrock.address, bedrockPort: bedrock.port })
    await poller.cycle()
    expect(await shown(id)).toMatchObject({ java: true, gamePort: java.port })
    isDown = true
    await poller.cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, java: false, bedrock: true, gamePort: java.port })
  })

  it('that could not ask about Bedrock in time leaves what is shown of it', async () => {
    const java = await minecraftServer('127.88.9.9', { description: 'Java' })
    const bedrock = await bedrockServer('127.88.9.9')
    const both = { bedrockAddress: bedrock.address, bedrockPort: bedrock.port }
    const id = await list({ ipAddress: java.address, gamePort: java.port, ...both })
    await createTestPoller(directory).cycle()
    await createTestPoller(directory, { skippedGame: 'mbe' }).cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, java: true, bedrock: true })
  })

  it('of one edition says nothing about editions', async () => {
    const java = await minecraftServer('127.88.9.7', { description: 'Java' })
    const id = await list({ ipAddress: java.address, gamePort: java.port })
    await createTestPoller(directory).cycle()
    expect(await shown(id)).toMatchObject({ isOnline: true, java: null, bedrock: null })
  })
})
