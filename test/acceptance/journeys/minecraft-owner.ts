// The owner of a Minecraft network behind a proxy lists it by name for both editions, and its Votifier
// plugin gets the votes.
import { expect, test } from 'vitest'
import { startVotifierReceiver } from '../../support/votifier-receiver.ts'
import { bedrockServer, minecraftServer } from '../../workers/polling/minecraft-server.ts'
import { png, SIGNATURE } from '../../workers/polling/png.ts'
import { listingPage } from '../directory.ts'
import { type CreatedServer, dnsRecords, newVisitor, type Person, product, register, WAIT_OPTIONS } from '../product.ts'

const NAME = 'play.blocks.example'
/** Where Bedrock players connect. For Java players the name leads elsewhere by its service. */
const NETWORK = '127.0.41.1'
const PROXY = '127.0.41.2'

interface Delivery {
  id: string
  type: string
  status: string
  log: { number: number; reason: string | null; response: string }[]
}

/**
 * @param motd read for each client that says the network's name; undefined: the connection is closed, as for all others
 */
const startProxy = (motd: () => string | undefined, players: number) =>
  minecraftServer(PROXY, ({ host }) => {
    const description = host === NAME ? motd() : undefined
    const favicon = `data:image/png;base64,${png().toString('base64')}`
    return description === undefined ? undefined : { description, favicon, players: { online: players, max: 100 } }
  })

function leadPlayersTo(port: number): void {
  dnsRecords[`_minecraft._tcp.${NAME}`] = [{ port, target: 'proxy.blocks.example' }]
}

const detailOf = async (id: string) => (await newVisitor().get(`/api/servers/${id}`)).body

async function readPicture(url: unknown): Promise<{ type: string | null; bytes: Buffer }> {
  const response = await fetch(product.url + new URL(String(url)).pathname)
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/**
 * Votes reach the plugin in order, also those that came while it was stopped; the owner sees and repeats deliveries.
 */
async function expectVotesInPlugin({ client }: Person, path: string): Promise<void> {
  const plugin = await startVotifierReceiver()
  const { status, body: endpoint } = await client.post<{ id: string }>(`${path}/endpoints`, {
    kind: 'votifier2',
    host: 'votes.blocks.example',
    port: plugin.port,
    token: plugin.token,
  })
  expect(status).toBe(201)
  const endpointPath = `${path}/endpoints/${endpoint.id}`
  const log = async () => (await client.get<{ deliveries: Delivery[] }>(`${endpointPath}/deliveries`)).body.deliveries
  expect((await client.post(`${endpointPath}/test`)).status).toBe(200)
  await expect.poll(() => plugin.votes, WAIT_OPTIONS).toMatchObject([{ username: 'VoteTest' }])

  await plugin.close()
  for (const username of ['Ada', 'Ben', 'Cleo']) {
    const vote = { visitorId: `the miner ${username}`, username }
    expect(await newVisitor().post(`${path}/vote`, vote)).toMatchObject({ status: 200, body: { webhookSent: true } })
  }
  await expect
    .poll(async () => JSON.stringify(await log()), WAIT_OPTIONS)
    .toContain('the game server refused the connection')

  const restarted = await startVotifierReceiver({ port: plugin.port, token: plugin.token })
  await expect.poll(() => restarted.votes.map(({ username }) => username), WAIT_OPTIONS).toEqual(['Ada', 'Ben', 'Cleo'])
  await expect
    .poll(async () => (await log()).map(({ type, status }) => [type, status]), WAIT_OPTIONS)
    .toEqual([...Array.from({ length: 3 }, () => ['vote.created', 'delivered']), ['webhook.test', 'delivered']])

  const [newest] = await log()
  expect((await client.post(`${endpointPath}/deliveries/${newest?.id}/redeliver`)).status).toBe(200)
  await expect.poll(() => restarted.votes.at(3)?.username, WAIT_OPTIONS).toBe('Cleo')
  expect(restarted.refusals).toEqual([])
}

test('an owner of a Minecraft network lists it by name, for both editions, gets votes in Votifier and moves it to another port', async () => {
  let motd: string | undefined = '§aBlocks §land caves'
  const proxy = await startProxy(() => motd, 3)
  leadPlayersTo(proxy.port)
  dnsRecords['proxy.blocks.example'] = [PROXY]
  dnsRecords[NAME] = [NETWORK]
  dnsRecords['votes.blocks.example'] = ['127.0.0.1']

  const owner = await register()
  const listing = { name: 'Blocks and caves', game: 'minecraft', ipAddress: NAME }
  const { status, body } = await owner.client.post<CreatedServer>('/api/servers', listing)
  expect(status).toBe(201)
  const { server, verificationToken } = body
  const path = `/api/servers/${server.id}`
  const shown = { isOnline: true, connectAddress: NAME, gamePort: proxy.port, currentPlayers: 3, maxPlayers: 100 }
  await expect
    .poll(() => detailOf(server.id), WAIT_OPTIONS)
    .toMatchObject({ ...shown, motd: 'Blocks and caves', motdFormatted: motd, iconUrl: expect.any(String) })
  const { iconUrl } = await detailOf(server.id)
  expect((await listingPage({ q: listing.name })).servers[0]).toMatchObject({ ...shown, id: server.id, iconUrl })
  const { type, bytes } = await readPicture(iconUrl)
  expect([type, bytes.subarray(0, SIGNATURE.length)]).toEqual(['image/png', SIGNATURE])

  const bedrock = await bedrockServer(NETWORK, { players: 3 })
  const edition = { bedrockAddress: NAME, bedrockPort: bedrock.port }
  expect((await owner.client.patch(path, edition)).status).toBe(200)
  const editions = {
    java: { connectAddress: NAME, isOnline: true },
    bedrock: { connectAddress: `${NAME}:${bedrock.port}`, isOnline: true },
  }
  await expect.poll(() => detailOf(server.id), WAIT_OPTIONS).toMatchObject({ ...shown, editions })

  motd = `Blocks and caves ${verificationToken}`
  expect((await owner.client.post(`${path}/claim/verify`)).body).toMatchObject({ status: 'verified' })
  await expectVotesInPlugin(owner, path)

  motd = undefined
  const moved = await startProxy(() => 'Blocks and caves', 8)
  leadPlayersTo(moved.port)
  await expect
    .poll(() => detailOf(server.id), { ...WAIT_OPTIONS, timeout: 60_000 })
    .toMatchObject({ ...shown, gamePort: moved.port, currentPlayers: 8, editions, isVerified: true, totalVotes: 3 })
})
