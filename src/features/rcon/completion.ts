// The end of a command: recorded once, with its audit entry in the same transaction.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { type CompletedCommand, completeCommand, completeExpired } from './commands.sql.ts'
import { findTarget } from './credentials.sql.ts'
import type { Outcome } from './outcomes.ts'
import { redact } from './redact.ts'

/** Idempotent. */
export async function recordCompletion(
  tx: Db,
  secretCipher: SecretCipher,
  end: { id: string; outcome: Outcome; response?: string },
): Promise<void> {
  const { id, outcome, response } = end
  const encrypted = response === undefined ? null : secretCipher.encrypt('rcon', response)
  const completed = await completeCommand(tx, { id, outcome, response: encrypted })
  if (completed) await audit(tx, secretCipher, completed)
}

/** @param serverId of one server only. @returns how many commands had expired */
export async function recordExpired(tx: Db, secretCipher: SecretCipher, serverId?: string): Promise<number> {
  const expired = await completeExpired(tx, serverId)
  for (const command of expired) await audit(tx, secretCipher, command)
  return expired.length
}

async function audit(tx: Db, secretCipher: SecretCipher, completed: CompletedCommand): Promise<void> {
  const { serverId, actorId, command, outcome } = completed
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
