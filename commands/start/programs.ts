// The programs that `npm start` runs, and how each of them starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { SANDBOX_PRICES } from '../../dev/sandbox/prices.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import type { ProcessPlan } from '../../src/platform/processes/supervisor.ts'

/** A program that runs node, and its arguments. */
type CommandLine = [program: string, ...args: string[]]

/** How each process is started. */
export interface Programs {
  api: CommandLine
  worker: CommandLine
  simulator: CommandLine
  sandbox: CommandLine
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** A URL, because in a path `#`, `?` and `%` would be read as parts of one. */
const REQUIRE_NODE = ['--import', new URL('../require-node.mjs', import.meta.url).href]

export const PROGRAMS: Programs = {
  api: [path.join(ROOT, 'commands/node-api.sh'), ...REQUIRE_NODE, path.join(ROOT, 'src/main.ts')],
  worker: [process.execPath, ...REQUIRE_NODE, path.join(ROOT, 'workers/main.ts')],
  simulator: [process.execPath, ...REQUIRE_NODE, path.join(ROOT, 'dev/simulator/main.ts'), '--demo'],
  sandbox: [process.execPath, ...REQUIRE_NODE, path.join(ROOT, 'dev/sandbox/main.ts')],
}

export const PRELOAD = new URL('stop-with-parent.ts', import.meta.url).href

/** @param args for Node: the program and its own arguments */
export function startNode([program, ...args]: CommandLine, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, ['--import', PRELOAD, ...args], {
    env,
    // A separate process group: Ctrl-C must reach only the launcher, which stops the processes in order.
    detached: true,
    // The channel closes when the launcher ends, however it ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

export function planProcesses(
  programs: Programs,
  env: NodeJS.ProcessEnv,
  { operatorUrl, workerUrl }: { operatorUrl: string; workerUrl: string },
): ProcessPlan[] {
  return [
    { name: 'api', start: () => startNode(programs.api, env), ready: `${operatorUrl}/readyz` },
    { name: 'worker', start: () => startNode(programs.worker, env), ready: `${workerUrl}/readyz` },
  ]
}

/** The API and the worker use the sandbox as they use the payment provider, at another address. */
export function sandboxSettings(port: number) {
  return {
    STRIPE_SECRET_KEY: `sk_test_${randomBytes(18).toString('hex')}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(18).toString('hex')}`,
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    ...SANDBOX_PRICES,
  }
}

export function planSandbox(
  programs: Programs,
  env: NodeJS.ProcessEnv & { STRIPE_API_BASE?: string },
  apiUrl: string,
): ProcessPlan {
  // The API itself, whatever its public address is.
  const sandbox: CommandLine = [...programs.sandbox, `${apiUrl}/api/billing/webhook`]
  return { name: 'sandbox', start: () => startNode(sandbox, env), ready: `${env.STRIPE_API_BASE}/` }
}

export function planDemo(
  programs: Programs,
  env: NodeJS.ProcessEnv & { DATABASE_URL: string },
  settings: Settings,
  onListed: (servers: number) => void,
): ProcessPlan {
  return {
    name: 'demo',
    start: () => startNode(programs.simulator, env),
    async ready(message) {
      const { listDemoServers } = await import('./demo/demo.ts')
      onListed(await listDemoServers(env.DATABASE_DIRECT_URL || env.DATABASE_URL, message, settings))
    },
  }
}
