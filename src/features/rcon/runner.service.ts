// Runs a command in a worker: starts it once, sends it, and records its outcome.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { createRconClient, type SendRcon } from './client.service.ts'
import { startCommand } from './commands.sql.ts'
import { createCompletion } from './completion.ts'
import type { Outcome } from './outcomes.ts'

export function createRconRunner({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>) {
  const secretCipher = createSecretCipher(settings)
  const completion = createCompletion(secretCipher)
  const client = createRconClient({ pool, settings, log })

  async function attempt(
    commandId: string,
    send: SendRcon,
  ): Promise<{ outcome: Outcome; response?: string } | undefined> {
    const started = await startCommand(pool, commandId)
    if (!started) return undefined
    const { serverId, msLeft: timeoutMs } = started
    const command = secretCipher.decryptIfPossible('rcon', started.command)
    return command === undefined ? { outcome: 'unreadable' } : client.send({ serverId, command, timeoutMs }, send)
  }

  return {
    /** Does nothing for a command that was started or completed before, or has expired: it must not run twice. */
    async run(commandId: string, send: SendRcon): Promise<void> {
      const end = await attempt(commandId, send)
      if (end) await inTransaction(pool, (tx) => completion.complete(tx, commandId, end.outcome, end.response))
    },
  }
}
