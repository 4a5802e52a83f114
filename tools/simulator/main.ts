// A process of simulated game servers. `--demo`: the demo's fifty; `--count n --first k`: a plain fleet for load tests.
// Tells its parent what it serves by one IPC message, or a line of JSON on standard output without one.
import { parseArgs } from 'node:util'
import { startDemo } from './demo.ts'
import { seededRandom, startFleet } from './fleet.ts'

const { values } = parseArgs({
  options: {
    demo: { type: 'boolean', default: false },
    count: { type: 'string', default: '50' },
    first: { type: 'string', default: '0' },
    loss: { type: 'string', default: '0' },
  },
})

const first = Number(values.first)
const random = seededRandom(first + 1)
const servers = values.demo
  ? await startDemo()
  : (
      await startFleet({
        count: Number(values.count),
        first,
        each: (index) => ({
          info: { name: `Simulated server ${first + index}`, players: index % 64 },
          faults: { loss: Number(values.loss) },
          random,
        }),
      })
    ).servers.map(({ address, port, info }) => ({ name: info.name, ipAddress: address, queryPort: port }))

if (process.send) process.send(servers)
else process.stdout.write(`${JSON.stringify(servers)}\n`)

// The sockets do not keep the process alive; its parent's life does, or else a signal.
process.on('disconnect', () => process.exit(0))
setInterval(() => {}, 60_000)
