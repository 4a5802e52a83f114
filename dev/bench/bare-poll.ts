// The bare gamedig loop: one instance, 50 concurrent queries, no writes. Reports servers/s of each round it is sent.
import { GameDig } from 'gamedig'
import type { Rate } from './report.ts'
import type { Target } from './seed.ts'

const AT_ONCE = 50
const gamedig = new GameDig()

process.on('message', async (targets: Target[]) => {
  const from = performance.now()
  const cpu = process.cpuUsage()
  let next = 0
  let answered = 0
  const lane = async () => {
    for (let target = targets[next++]; target; target = targets[next++]) {
      const { ipAddress, queryPort } = target
      await gamedig
        .query({
          type: 'ase',
          host: ipAddress,
          address: ipAddress,
          port: queryPort,
          givenPortOnly: true,
          maxRetries: 1,
          requestPlayers: false,
        })
        .then(
          () => answered++,
          () => undefined,
        )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const seconds = (performance.now() - from) / 1000
  if (answered < targets.length) console.error(`bare loop: ${targets.length - answered} did not answer`)
  const { user, system } = process.cpuUsage(cpu)
  const rate: Rate = { perSecond: answered / seconds, microsEach: (user + system) / answered }
  process.send?.(rate)
})
process.on('disconnect', () => process.exit(0))
