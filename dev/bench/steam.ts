// A process that stands in for Steam: gets the servers by IPC, and reports its address.
import { startSteam, steamRow } from '../simulator/steam.ts'
import type { Target } from './seed.ts'

process.once('message', async ({ key, targets }: { key: string; targets: Target[] }) => {
  const rows = targets.map(({ ipAddress, queryPort }, n) => steamRow(n, `${ipAddress}:${queryPort}`))
  const { origin, state } = await startSteam(key, { rows, cutAt: 20_000 })
  process.on('message', () => process.send?.(state.filters.length))
  process.send?.(origin)
})
process.on('disconnect', () => process.exit(0))
