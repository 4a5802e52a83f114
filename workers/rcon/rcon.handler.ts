// Runs an owner's RCON command before it expires.
import type { Deps } from '../../src/deps.ts'
import { createRconRunner, type RconCommandJob } from '../../src/features/rcon/index.ts'
import { createRconSender } from './send.ts'

/** @returns a handler that runs a command once, even if its job is delivered several times */
export function createRconHandler(
  deps: Pick<Deps, 'pool' | 'settings' | 'log'>,
): (job: RconCommandJob) => Promise<void> {
  const send = createRconSender(deps.settings)
  const runner = createRconRunner(deps)
  return ({ commandId }) => runner.run(commandId, send)
}
