// Finds free TCP ports by listening on them for a moment.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port that can't be used; the message is one line for the operator. */
export class PortError extends Error {
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
export async function waitForFreePort(
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
