// `servers list`: prints the servers, also those that are hidden or not verified.
import type { ListingSummary } from '../../src/features/servers/index.ts'
import { readInBatches } from '../../src/platform/db/read-in-batches.ts'
import { withPort } from '../../src/platform/public-address.ts'
import { defineCommand } from '../command.ts'
import { withPool } from '../database.ts'

const BATCH = 1_000

export const list = defineCommand({
  help: `npm run servers -- list [--search <text>]

Prints all servers, hidden and unverified ones too, in the order they were added: id, state (online, offline or hidden),
players, game, address and query port, name.

  --search <text>   only those with this text in their name or address
`,
  options: { search: { type: 'string' } },
  run: (_args, { search = '' }) =>
    withPool(async (pool) => {
      const { createServers } = await import('../../src/features/servers/index.ts')
      const servers = createServers({ pool })
      let count = 0
      const batches = readInBatches(BATCH, (last?: ListingSummary) =>
        servers.list({ search, limit: BATCH, ...(last && { after: last.id }) }),
      )
      for await (const batch of batches) {
        process.stdout.write(batch.map(describe).join(''))
        count += batch.length
      }
      process.stderr.write(`${count} ${count === 1 ? 'server' : 'servers'}\n`)
      return 0
    }),
})

function describe({
  id,
  name,
  game,
  ipAddress,
  queryPort,
  isHidden,
  isOnline,
  currentPlayers,
  maxPlayers,
}: ListingSummary): string {
  const state = isHidden ? 'hidden ' : isOnline ? 'online ' : 'offline'
  const players = `${currentPlayers}/${maxPlayers}`.padStart(7)
  return `${id}  ${state}  ${players}  ${game.padEnd(12)}  ${withPort(ipAddress, queryPort).padEnd(21)}  ${name}\n`
}
