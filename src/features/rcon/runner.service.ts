// Runs a command in a worker: starts it once, sends it, and records its outcome.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { createRconClient, type SendRcon } from './client.service.ts'
import { startCommand } from './commands.sql.ts'
import { recordCompletion } from './completion.ts'

/**
 * @returns a handler of `rcon-command`. It does nothing for a command that was started or completed before, or has
 * expired: it must not run twice.
 */
export function createRconRunner(deps: Pick<Deps, 'pool' | 'settings' | 'log'>, send: SendRcon) {
  const { pool, settings } = deps
  const secretCipher = createSecretCipher(settings)
  const sendTo = createRconClient(deps, send)

  return async ({ commandId: id }: { commandId: string }): Promise<void> => {
    const started = await startCommand(pool, id)
    if (!started) return
    const command = secretCipher.decryptIfPossible('rcon', started.command)
    const end = command === undefined ? { outcome: 'unreadable' as const } : await sendTo({ ...started, command })
    await inTransaction(pool, (tx) => recordCompletion(tx, secretCipher, { id, ...end }))
  }
}
