// Sends one RCON command to a server's own address, resolved and checked as for a poll.
import net from 'node:net'
import pTimeout from 'p-timeout'
import type { RconProtocol, SendRcon } from '../../src/features/rcon/index.ts'
import { resolverFor, TargetError, type TargetSettings } from '../polling/target-address.ts'
import { exchange, type RconExchange, RconFailure } from './exchange.ts'
import { exchangeQuake3 } from './quake3.ts'
import { exchangeWebRcon } from './webrcon.ts'

const EXCHANGES: Record<RconProtocol, (options: RconExchange) => Promise<string>> = {
  source: exchange,
  quake3: exchangeQuake3,
  webrcon: exchangeWebRcon,
}

/** A look-up that does not end is reported to the owner like a name without an address. */
const lookupTimeout = () => new TargetError('unresolved', 'not resolved in time')

export function createRconSender(settings: TargetSettings): SendRcon {
  const resolve = resolverFor(settings)

  return async ({ protocol, host, srvService, timeoutMs, ...request }) => {
    const startedAt = performance.now()
    try {
      const { address } = await pTimeout(Promise.resolve(resolve({ host, srvService })), {
        milliseconds: timeoutMs,
        message: lookupTimeout(),
      })
      const left = timeoutMs - (performance.now() - startedAt)
      return { response: await EXCHANGES[protocol]({ ...request, address, timeoutMs: Math.max(left, 0) }) }
    } catch (error) {
      // The same for a name that exists on a private network and one that does not: owners must not learn which.
      if (error instanceof TargetError) return { failure: net.isIP(host) ? 'not_public' : 'unreachable' }
      if (error instanceof RconFailure) {
        const { reason: failure, isUnsent, closedAtLogin } = error
        return { failure, isUnsent, closedAtLogin }
      }
      throw error
    }
  }
}
