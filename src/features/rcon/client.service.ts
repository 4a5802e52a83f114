// Sends commands to a game server in a worker, with the password that its owner has set.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { isOutage } from '../../platform/db/pg-errors.ts'
import type { Db } from '../../platform/db/pool.ts'
import { srvServiceOf } from '../games/index.ts'
import { findTarget } from './credentials.sql.ts'
import { errorOf, type Outcome, type RconFailureReason, usableTarget } from './outcomes.ts'
import { type RconProtocol, rconProtocolOf } from './rcon-protocols.ts'

export interface RconRequest {
  protocol: RconProtocol
  /** The listed host: an address or a name, not resolved or checked yet. */
  host: string
  /** The service whose host players reach by this name (`srvServiceOf`). */
  srvService?: string | undefined
  port: number
  password: string
  command: string
  /** Time limit for the whole exchange. */
  timeoutMs: number
}

interface FailedCommand {
  failure: RconFailureReason
  /** Whether the command was certainly not sent. */
  isUnsent?: boolean
  /**
   * Whether a `wrong_password` is only presumed: the game server closed the connection during the login, as one
   * that is restarting does.
   */
  closedAtLogin?: boolean
}

/** Sends a command to a game server. Expected failures are returned, not thrown. */
export type SendRcon = (request: RconRequest) => Promise<{ response: string } | FailedCommand>

/** @returns a function that looks the server up each time: the listing may have moved since the command was accepted */
export function createRconClient({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>, send: SendRcon) {
  const secretCipher = createSecretCipher(settings)

  return async (given: {
    serverId: string
    command: string
    timeoutMs: number
  }): Promise<{ outcome: Outcome; response?: string } & Omit<FailedCommand, 'failure'>> => {
    const { serverId, command, timeoutMs } = given
    const found = await findTarget(pool, serverId).catch((error: unknown) => {
      if (!isOutage(error)) throw error
      return 'unserved' as const
    })
    const target = found === 'unserved' ? found : usableTarget(found, settings)
    if (typeof target === 'string') return { outcome: target }
    const { game, ipAddress: host, credential } = target
    const password = secretCipher.decryptIfPossible('rcon', credential.password)
    if (password === undefined) {
      log.error({ serverId }, 'an RCON password cannot be decrypted')
      return { outcome: 'unreadable' }
    }
    const protocol = rconProtocolOf(game)
    const answer = await send({
      protocol,
      host,
      srvService: srvServiceOf(target),
      port: credential.port,
      password,
      command,
      timeoutMs,
    })
    if (!('failure' in answer)) return { outcome: 'answered', ...answer }
    const { failure, ...details } = answer
    return { outcome: failure, ...details }
  }
}

/** @throws ApiError 400 with one of `UNUSABLE_RCON_CODES` if commands can't be sent to the server now */
export async function requireUsableRcon(
  tx: Db,
  serverId: string,
  settings: Pick<ProcessSettings, 'NODE_ENV'>,
): Promise<void> {
  const target = usableTarget(await findTarget(tx, serverId), settings)
  if (typeof target === 'string') throw errorOf(target)
}
