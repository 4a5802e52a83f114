// A tour of the typed client: the list, one server, a vote for it, then live changes until Ctrl-C.
//   npx node examples/client/main.ts [--base-url http://localhost:3000]
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ApiError, createClient } from './client.ts'
import { createMirror } from './mirror.ts'

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: 'http://localhost:3000' },
    /** The voter; a new one by default. */
    'visitor-id': { type: 'string', default: randomUUID() },
  },
})
const credential = process.env.DIRECTORY_CREDENTIAL
const client = createClient({ baseUrl: values['base-url'], ...(credential ? { credential } : {}) })

const { servers, pagination } = await client.get('/servers', { query: { onlineOnly: 'true', limit: 3 } })
console.log(`${pagination.total} servers are online; the first ${servers.length}:`)
for (const { name, currentPlayers, maxPlayers } of servers) console.log(`  ${name} ${currentPlayers}/${maxPlayers}`)

const [first] = servers
if (!first?.id) throw new Error('no server is online')
const server = await client.get('/servers/{id}', { path: { id: first.id } })
console.log(`${server.name}: ${server.map || 'unknown map'}, ${server.totalVotes} votes`)

for (const time of ['first', 'second'])
  try {
    const { message, nextVoteAt } = await client.post('/servers/{id}/vote', {
      path: { id: server.id },
      body: { visitorId: values['visitor-id'], username: 'A visitor' },
    })
    console.log(`the ${time} vote: ${message} The next one is possible from ${nextVoteAt}.`)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'vote_cooldown')) throw error
    console.log(`the ${time} vote: ${error.message}`)
  }

const LOOK_EVERY_MS = 1_000
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const mirror = createMirror(client)
await mirror.catchUp()
console.log(`following ${mirror.servers().size} servers; press Ctrl-C to stop`)
while (!stop.signal.aborted) {
  const changed = await mirror.catchUp()
  if (changed) {
    const online = [...mirror.servers().values()].filter(({ isOnline }) => isOnline)
    const players = online.reduce((sum, { currentPlayers }) => sum + currentPlayers, 0)
    console.log(`${changed} changed: ${online.length} of ${mirror.servers().size} online, ${players} players`)
  }
  await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined)
}
