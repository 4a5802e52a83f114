// Runs a command in a worker: starts it once, sends it, and records its outcome.
import type { Deps } from '../../deps.ts'
import { createSecretCipher, SecretDecryptionError } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { startCommand } from './commands.sql.ts'
import { createCompletion } from './completion.ts'
import { findTarget } from './credentials.sql.ts'
import { type Outcome, type RconFailed, usable } from './outcomes.ts'
import { type RconProtocol, rconProtocolOf } from './rcon-protocols.ts'

export interface RconRequest {
  protocol: RconProtocol
  /** As listed: an IPv4 address or a name, not resolved or checked yet. */
  host: string
  port: number
  password: string
  command: string
  /** For the whole exchange. */
  timeoutMs: number
}

/** Sends a command to a game server. Expected failures are returned, not thrown. */
export type SendRcon = (request: RconRequest) => Promise<{ response: string } | { failure: RconFailed }>

export function createRconRunner({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>) {
  const secretCipher = createSecretCipher(settings)
  const completion = createCompletion(secretCipher)

  async function attempt(
    commandId: string,
    send: SendRcon,
  ): Promise<{ outcome: Outcome; response?: string } | undefined> {
    const started = await startCommand(pool, commandId)
    if (!started) return undefined
    // Again: the listing may have moved since the command was accepted.
    const target = usable(await findTarget(pool, started.serverId), settings)
    if (typeof target === 'string') return { outcome: target }
    const { port, password } = target.credential
    try {
      const opened = {
        password: secretCipher.decrypt('rcon', password),
        command: secretCipher.decrypt('rcon', started.command),
      }
      const answer = await send({
        protocol: rconProtocolOf(target.game),
        host: target.ipAddress,
        port,
        ...opened,
        timeoutMs: started.msLeft,
      })
      return 'failure' in answer ? { outcome: answer.failure } : { outcome: 'answered', response: answer.response }
    } catch (error) {
      if (!(error instanceof SecretDecryptionError)) throw error
      log.error({ err: error, serverId: started.serverId }, 'an RCON password cannot be decrypted')
      return { outcome: 'unreadable' }
    }
  }

  return {
    /** Does nothing for a command that was started or completed before, or has expired: it must not run twice. */
    async run(commandId: string, send: SendRcon): Promise<void> {
      const end = await attempt(commandId, send)
      if (end) await inTransaction(pool, (tx) => completion.complete(tx, commandId, end.outcome, end.response))
    },
  }
}
