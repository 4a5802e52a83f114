// Sends one RCON command to the server's own address, resolved and checked as for a poll, before the command expires.
import pTimeout from 'p-timeout'
import type { Deps } from '../../src/deps.ts'
import {
  createRconRunner,
  type RconCommandJob,
  type RconProtocol,
  type SendRcon,
} from '../../src/features/rcon/index.ts'
import { createTargetResolver, TargetError } from '../polling/target-address.ts'
import { exchange, type RconExchange, RconFailure } from './exchange.ts'
import { exchangeQuake3 } from './quake3.ts'
import { exchangeWebRcon } from './webrcon.ts'

const EXCHANGES: Record<RconProtocol, (options: RconExchange) => Promise<string>> = {
  source: exchange,
  quake3: exchangeQuake3,
  webrcon: exchangeWebRcon,
}

/** To the owner, a lookup that does not end is the same as a name without an address. */
const lookupTimeout = () => new TargetError('unresolved', 'not resolved in time')

/** @returns a handler that runs a command once, even if its job is delivered several times */
export function createRconHandler(
  deps: Pick<Deps, 'pool' | 'settings' | 'log'>,
): (job: RconCommandJob) => Promise<void> {
  const resolve = createTargetResolver({ allowPrivate: deps.settings.ALLOW_PRIVATE_TARGETS })
  const runner = createRconRunner(deps)

  const send: SendRcon = async ({ protocol, host, timeoutMs, ...request }) => {
    const startedAt = performance.now()
    try {
      const address = await pTimeout(resolve(host), { milliseconds: timeoutMs, message: lookupTimeout() })
      const left = timeoutMs - (performance.now() - startedAt)
      return { response: await EXCHANGES[protocol]({ ...request, address, timeoutMs: Math.max(left, 0) }) }
    } catch (error) {
      if (error instanceof TargetError) return { failure: error.reason === 'refused' ? 'not_public' : 'unreachable' }
      if (error instanceof RconFailure) return { failure: error.reason }
      throw error
    }
  }

  return ({ commandId }) => runner.run(commandId, send)
}
