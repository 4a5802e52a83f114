// Finds free TCP ports by listening on them for a moment, and chooses those of the processes.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../src/platform/config/settings.ts'

/** A port that can't be used; the message is one line for the operator. */
class PortError extends Error {
  override name = 'PortError'
}

/** Below the ports that systems give to outgoing connections, one of which could take the port before it is used. */
const FREE_PORTS = { from: 20_000, to: 32_000 }

/** @returns a loopback port that was free a moment ago */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to)
    try {
      await listenOnce(host, port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

/**
 * Waits until the port can be listened on, at most `timeoutMs`.
 * @param setting the setting to change, for the message
 * @param onWait called once if the port is not free at once
 * @throws PortError
 */
async function waitForFreePort(
  host: string,
  port: number,
  setting: string,
  { timeoutMs = 0, onWait = () => {}, signal }: { timeoutMs?: number; onWait?: () => void; signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      await listenOnce(host, port)
      return
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === 'EADDRINUSE') {
        if (Date.now() < deadline) {
          if (attempt === 1) onWait()
          await sleep(100)
          continue
        }
        throw new PortError(`port ${port} is in use: stop what uses it, or set ${setting} to another port`, { cause })
      }
      if (code === 'EACCES')
        throw new PortError(`port ${port} may not be used by this user: set ${setting} to a port above 1023`, { cause })
      throw new PortError(
        `HOST ${host} can’t be listened on (${message}): set it to an address of this machine, or 0.0.0.0 for all`,
        { cause },
      )
    }
  }
}

async function listenOnce(host: string, port: number): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

export interface Ports {
  api: number
  worker: number
  /** Undefined: there is no sandbox. */
  sandbox?: number
}

/** Chooses the processes' ports (0: a free one), so that a restarted process keeps its own. */
export async function takePorts(
  settings: Settings,
  waiting: { timeoutMs: number; onWait: () => void; signal: AbortSignal },
): Promise<Ports> {
  const { HOST, PORT, WORKER_PORT, OPERATOR_PORT } = settings
  if (PORT && PORT === WORKER_PORT)
    throw new PortError(`PORT and WORKER_PORT are both ${PORT}: set one to another port`)
  if (OPERATOR_PORT && OPERATOR_PORT === WORKER_PORT)
    throw new PortError(`OPERATOR_PORT and WORKER_PORT are both ${WORKER_PORT}: set one to another port`)
  if (PORT) await waitForFreePort(HOST, PORT, 'PORT', waiting)
  if (WORKER_PORT) await waitForFreePort(HOST, WORKER_PORT, 'WORKER_PORT', waiting)
  if (OPERATOR_PORT) await waitForFreePort(HOST, OPERATOR_PORT, 'OPERATOR_PORT', waiting)
  const api = PORT || (await freePort(HOST))
  let worker = WORKER_PORT
  while (!worker || worker === api) worker = await freePort(HOST)
  if (settings.STRIPE_SECRET_KEY || settings.NODE_ENV === 'production') return { api, worker }
  let sandbox = 0
  while (!sandbox || sandbox === api || sandbox === worker) sandbox = await freePort()
  return { api, worker, sandbox }
}
