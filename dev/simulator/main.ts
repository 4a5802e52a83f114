// A process of simulated game servers. `--demo`: the fifty of the demo; `--count n --first k`: a plain fleet for load
// tests; `--name n --port p`: one server, to try the steps of an owner. Reports its servers to the parent by one IPC
// message, or as a JSON line on standard output if there is no IPC channel.
import path from 'node:path'
import { CommandError, defineCommand, exitCodeOf } from '../../commands/command.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { reasonOf } from '../../src/platform/error-reason.ts'
import { startDemo } from './demo.ts'
import { seededRandom, startFleet } from './fleet.ts'
import { type SimulatedServer, startSimulatedServer } from './server.ts'

const HELP = `npx node dev/simulator/main.ts [options]

Runs simulated game servers, which answer queries until the program is stopped: one server, those of the demo or,
without --name and --demo, a fleet.

  --name <text>   runs one server of this name, on 127.0.0.1
  --port <n>      its query port; default: a free one
  --demo          runs the fifty servers of \`npm start -- --demo\`
  --count <n>     servers in the fleet, each on its own loopback address; default: 50
  --first <n>     number of the fleet's first address; default: 0
  --loss <share>  share of datagrams that the fleet loses, for example 0.1; default: 0
`

const listed = ({ address, port, info }: SimulatedServer) => ({ name: info.name, ipAddress: address, queryPort: port })

async function startOne(name: string, port: number) {
  if (!(port >= 0 && port <= 65_535)) throw new CommandError('--port must be a number from 0 to 65535', 2)
  return [listed(await startSimulatedServer({ port, info: { name, players: 3 } }))]
}

async function startPlainFleet(count: number, first: number, loss: number) {
  const random = seededRandom(first + 1)
  const fleet = await startFleet({
    count,
    first,
    each: (index) => ({
      info: { name: `Simulated server ${first + index}`, players: index % 64 },
      faults: { loss },
      random,
    }),
  })
  return fleet.servers.map(listed)
}

const command = defineCommand({
  help: HELP,
  options: {
    demo: { type: 'boolean' },
    count: { type: 'string', default: '50' },
    first: { type: 'string', default: '0' },
    name: { type: 'string' },
    port: { type: 'string', default: '0' },
    loss: { type: 'string', default: '0' },
  },
  async run(_args, { demo, count, first, name, port, loss }) {
    const servers = demo
      ? await startDemo(path.resolve(readSettings(process.env).DATA_DIR))
      : name === undefined
        ? await startPlainFleet(Number(count), Number(first), Number(loss))
        : await startOne(name, Number(port))
    if (process.send) process.send(servers)
    else process.stdout.write(`${JSON.stringify(servers)}\n`)
    // The sockets do not keep the process alive; the IPC channel or the signal handlers do.
    process.on('disconnect', () => process.exit(0))
    setInterval(() => {}, 60_000)
    return 0
  },
})

try {
  await command(process.argv.slice(2))
} catch (error) {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const taken = `UDP port ${port} on ${address} is in use: another simulator uses it; stop that one first`
  process.stderr.write(`simulator: ${code === 'EADDRINUSE' ? taken : reasonOf(error)}\n`)
  process.exit(exitCodeOf(error))
}
