// Sends one RCON command: to the server's own address, resolved and checked as for a poll, within what is left of its time.
import type { Deps } from '../../src/deps.ts'
import { createRconRunner, type RconOrder, type SendRcon } from '../../src/features/rcon/index.ts'
import { inTime } from '../in-time.ts'
import { createTargetResolver, TargetError } from '../polling/target-address.ts'
import { exchange, RconFailure } from './exchange.ts'

/** A look-up that hangs is the same to the owner as a name that leads nowhere. */
const hanging = () => new TargetError('unresolved', 'not resolved in time')

/** @returns a handler that runs a command once, however often its job is delivered */
export function createRconHandler(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): (order: RconOrder) => Promise<void> {
  const resolve = createTargetResolver({ allowPrivate: deps.settings.ALLOW_PRIVATE_TARGETS })
  const runner = createRconRunner(deps)

  const send: SendRcon = async ({ host, timeoutMs, ...request }) => {
    const begun = performance.now()
    try {
      const address = await inTime(resolve(host), timeoutMs, hanging)
      const left = timeoutMs - (performance.now() - begun)
      return { response: await exchange({ ...request, address, timeoutMs: Math.max(left, 0) }) }
    } catch (error) {
      if (error instanceof TargetError) return { failure: error.reason === 'refused' ? 'not_public' : 'unreachable' }
      if (error instanceof RconFailure) return { failure: error.reason }
      throw error
    }
  }

  return ({ commandId }) => runner.run(commandId, send)
}
