// The end of a command: recorded once, with its audit entry in the same transaction.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { type CompletedCommand, completeCommand, completeExpired } from './commands.sql.ts'
import { findTarget } from './credentials.sql.ts'
import type { Outcome } from './outcomes.ts'
import { redact } from './redact.ts'

export function createCompletion(secretCipher: SecretCipher) {
  async function record(tx: Db, { serverId, actorId, command, outcome }: CompletedCommand): Promise<void> {
    const { credential } = (await findTarget(tx, serverId)) ?? {}
    const password = credential ? secretCipher.decryptIfPossible('rcon', credential.password) : undefined
    const text = secretCipher.decryptIfPossible('rcon', command)
    await recordAction(tx, {
      actorId,
      action: 'rcon.command',
      targetType: 'server',
      targetId: serverId,
      details: { command: text === undefined ? null : redact(text, password), outcome },
    })
  }

  return {
    /** Idempotent. */
    async complete(tx: Db, id: string, outcome: Outcome, response?: string): Promise<void> {
      const encrypted = response === undefined ? null : secretCipher.encrypt('rcon', response)
      const completed = await completeCommand(tx, { id, outcome, response: encrypted })
      if (completed) await record(tx, completed)
    },

    /** Of one server, or of all. @returns how many commands had expired */
    async completeExpired(tx: Db, serverId?: string): Promise<number> {
      const expired = await completeExpired(tx, serverId ?? null)
      for (const command of expired) await record(tx, command)
      return expired.length
    },
  }
}
