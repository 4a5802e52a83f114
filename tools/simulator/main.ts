// A process of simulated game servers. `--demo`: the demo's fifty; `--count n --first k`: a plain fleet for load tests;
// `--name n --port p`: one server, to try out what an owner does.
// Tells its parent what it serves by one IPC message, or a line of JSON on standard output without one.
import { parseArgs } from 'node:util'
import { startDemo } from './demo.ts'
import { seededRandom, startFleet } from './fleet.ts'
import { type SimulatedServer, startSimulatedServer } from './server.ts'

const { values } = parseArgs({
  options: {
    demo: { type: 'boolean', default: false },
    count: { type: 'string', default: '50' },
    first: { type: 'string', default: '0' },
    name: { type: 'string' },
    port: { type: 'string', default: '0' },
    loss: { type: 'string', default: '0' },
  },
})

const first = Number(values.first)
const random = seededRandom(first + 1)
const listed = ({ address, port, info }: SimulatedServer) => ({ name: info.name, ipAddress: address, queryPort: port })

async function start() {
  if (values.demo) return startDemo()
  if (values.name !== undefined)
    return [listed(await startSimulatedServer({ port: Number(values.port), info: { name: values.name, players: 3 } }))]
  const fleet = await startFleet({
    count: Number(values.count),
    first,
    each: (index) => ({
      info: { name: `Simulated server ${first + index}`, players: index % 64 },
      faults: { loss: Number(values.loss) },
      random,
    }),
  })
  return fleet.servers.map(listed)
}

const servers = await start()
if (process.send) process.send(servers)
else process.stdout.write(`${JSON.stringify(servers)}\n`)

// The sockets do not keep the process alive; its parent's life does, or else a signal.
process.on('disconnect', () => process.exit(0))
setInterval(() => {}, 60_000)
