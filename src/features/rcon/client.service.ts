// Sends commands to a game server in a worker, with the password that its owner has set.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { findTarget } from './credentials.sql.ts'
import type { RconFailed } from './outcomes.ts'
import { errorOf, type Outcome, usable } from './outcomes.ts'
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

export function createRconClient({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>) {
  const secretCipher = createSecretCipher(settings)

  return {
    /** Looks the server up each time: the listing may have moved since the command was accepted. */
    async send(
      { serverId, command, timeoutMs }: { serverId: string; command: string; timeoutMs: number },
      send: SendRcon,
    ): Promise<{ outcome: Outcome; response?: string }> {
      const target = usable(await findTarget(pool, serverId), settings)
      if (typeof target === 'string') return { outcome: target }
      const password = secretCipher.decryptIfPossible('rcon', target.credential.password)
      if (password === undefined) {
        log.error({ serverId }, 'an RCON password cannot be decrypted')
        return { outcome: 'unreadable' }
      }
      const [protocol, { ipAddress: host, credential }] = [rconProtocolOf(target.game), target]
      const answer = await send({ protocol, host, port: credential.port, password, command, timeoutMs })
      return 'failure' in answer ? { outcome: answer.failure } : { outcome: 'answered', response: answer.response }
    },

    /** @returns undefined if none is set */
    async passwordSetAt(serverId: string): Promise<Date | undefined> {
      return (await findTarget(pool, serverId))?.credential?.updatedAt
    },
  }
}

/** @throws ApiError 400 with a code of outcomes.ts if commands can't be sent to the server now */
export async function requireUsableRcon(
  tx: Db,
  serverId: string,
  settings: Pick<Deps['settings'], 'NODE_ENV'>,
): Promise<void> {
  const target = usable(await findTarget(tx, serverId), settings)
  if (typeof target === 'string') throw errorOf(target)
}
