// What a worker does with a command: takes it once, has it sent, and notes how it ended.
import type { Deps } from '../../deps.ts'
import { createVault, VaultError } from '../../platform/config/vault.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { beginCommand } from './commands.sql.ts'
import { findTarget } from './credentials.sql.ts'
import type { Outcome, RconFailed } from './outcomes.ts'
import { createSettlement } from './settlement.ts'

export interface RconRequest {
  /** As listed: an IPv4 address or a name, neither resolved nor checked yet. */
  host: string
  port: number
  password: string
  command: string
  /** For everything together. */
  timeoutMs: number
}

/** Sends a command to a game server. Throws nothing but what nobody expected. */
export type SendRcon = (request: RconRequest) => Promise<{ response: string } | { failure: RconFailed }>

export interface RconRunner {
  /** A command that is taken, settled or past its time is left alone: it must not run twice. */
  run(commandId: string, send: SendRcon): Promise<void>
}

export function createRconRunner({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>): RconRunner {
  const vault = createVault(settings)
  const settlement = createSettlement(vault)

  async function attempt(
    commandId: string,
    send: SendRcon,
  ): Promise<{ outcome: Outcome; response?: string } | undefined> {
    const begun = await beginCommand(pool, commandId)
    if (!begun) return undefined
    const target = await findTarget(pool, begun.serverId)
    if (!target?.credential) return { outcome: 'not_configured' }
    const { port, password } = target.credential
    try {
      const opened = { password: vault.open('rcon', password), command: vault.open('rcon', begun.command) }
      const answer = await send({ host: target.ipAddress, port, ...opened, timeoutMs: begun.msLeft })
      return 'failure' in answer ? { outcome: answer.failure } : { outcome: 'answered', response: answer.response }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.error({ err: error, serverId: begun.serverId }, 'an RCON password can’t be read')
      return { outcome: 'unreadable' }
    }
  }

  return {
    async run(commandId, send) {
      const end = await attempt(commandId, send)
      if (end) await inTransaction(pool, (tx) => settlement.settle(tx, commandId, end.outcome, end.response))
    },
  }
}
