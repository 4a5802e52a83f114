// The end of a command: noted once, and told to the audit log in the same transaction.
import type { Vault } from '../../platform/config/vault.ts'
import type { Db } from '../../platform/db/pool.ts'
import { recordAction } from '../audit/index.ts'
import { type SettledCommand, settleCommand, settleExpired } from './commands.sql.ts'
import { findTarget } from './credentials.sql.ts'
import type { Outcome } from './outcomes.ts'
import { redact } from './redact.ts'

export interface Settlement {
  /** Doing it again changes nothing. */
  settle(tx: Db, id: string, outcome: Outcome, response?: string): Promise<void>
  /** Of one server, or of all. @returns how many there were */
  settleExpired(tx: Db, serverId?: string): Promise<number>
}

export function createSettlement(vault: Vault): Settlement {
  async function record(tx: Db, { serverId, actorId, command, outcome }: SettledCommand): Promise<void> {
    const { credential } = (await findTarget(tx, serverId)) ?? {}
    const password = credential ? vault.openIfPossible('rcon', credential.password) : undefined
    const text = vault.openIfPossible('rcon', command)
    await recordAction(tx, {
      actorId,
      action: 'rcon.command',
      targetType: 'server',
      targetId: serverId,
      details: { command: text === undefined ? null : redact(text, password), outcome },
    })
  }

  return {
    async settle(tx, id, outcome, response) {
      const settled = await settleCommand(tx, {
        id,
        outcome,
        response: response === undefined ? null : vault.seal('rcon', response),
      })
      if (settled) await record(tx, settled)
    },
    async settleExpired(tx, serverId) {
      const expired = await settleExpired(tx, serverId ?? null)
      for (const command of expired) await record(tx, command)
      return expired.length
    },
  }
}
