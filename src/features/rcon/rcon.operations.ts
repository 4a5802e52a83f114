// RCON operations: owners and administrators set up RCON for a server and send commands to it.
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { managedServer } from '../servers/index.ts'
import { deleteCredential, findTarget, upsertCredential } from './credentials.sql.ts'
import { RCON_CODES } from './outcomes.ts'
import { RconAnswer, RconCommand, RconSettings, RconState } from './rcon.schema.ts'
import { createCommandSender, FAILURES_PER_QUARTER_HOUR, type SenderOptions } from './sending.service.ts'

/** Limit of one user, to all servers together. */
const COMMANDS_PER_MINUTE = 30
const common = { tag: 'RCON', access: 'user', scope: 'rcon', path: '/servers/{id}/rcon' } as const

/** An RCON password controls the whole game server, so its owner's changes are audited too. */
const changed = (audit: string) => managedServer({ right: 'rcon', lock: 'update', audit, auditsOwner: true })

export function rconOperations(options: SenderOptions) {
  const secretCipher = createSecretCipher(options.settings)
  const send = createCommandSender(options)

  return [
    operation({
      ...common,
      method: 'get',
      operationId: 'getRcon',
      summary: 'Show whether RCON is set up for your server',
      resource: managedServer({ right: 'edit' }),
      returns: RconState,
      handle: async ({ db, server }) => stateOf((await findTarget(db, server.id))?.credential),
    }),
    operation({
      ...common,
      method: 'put',
      operationId: 'configureRcon',
      summary: 'Set the RCON port and password of your server',
      description:
        'They are valid while the server keeps its owner, or the next owner accepts a hand-over with `keepSecrets`. No connection is opened ' +
        'until a command is sent.',
      resource: changed('rcon.configure'),
      body: RconSettings,
      returns: RconState,
      async handle({ tx, server, body: { port, password } }) {
        const encrypted = secretCipher.encrypt('rcon', password)
        const updatedAt = await upsertCredential(tx, { serverId: server.id, port, password: encrypted })
        return new Audited(stateOf({ port, updatedAt }), { port })
      },
    }),
    operation({
      ...common,
      method: 'post',
      operationId: 'sendRconCommand',
      summary: 'Send a command to your server and return its answer',
      description:
        'By the protocol of the server’s game (Source RCON, Quake 3 or Rust’s WebRCON), to the server’s own address, within 10 seconds; one command at a time for each server. The audit log keeps ' +
        'every command with its sender and outcome, with passwords in the command hidden. At most ' +
        `${COMMANDS_PER_MINUTE} commands a minute; 429 after ${FAILURES_PER_QUARTER_HOUR} failed commands to one server within ` +
        '15 minutes. In production your ownership of the server must be verified.',
      // The command waits for a worker, which must see it.
      transaction: false,
      resource: managedServer({ right: 'rcon' }),
      body: RconCommand,
      codes: RCON_CODES,
      returns: RconAnswer,
      limit: { name: 'rcon-commands', limit: COMMANDS_PER_MINUTE, windowSeconds: 60, per: 'user' },
      handle: async ({ actor, server, body: { command } }) => ({ response: await send(actor, server.id, command) }),
    }),
    operation({
      ...common,
      method: 'delete',
      operationId: 'removeRcon',
      summary: 'Remove the RCON port and password of your server',
      resource: changed('rcon.remove'),
      returns: Success,
      handle: async ({ tx, server }) => new Audited(SUCCESS, (await deleteCredential(tx, server.id)) ? {} : undefined),
    }),
  ]
}

const stateOf = (credential: { port: number; updatedAt: Date } | null | undefined) => ({
  isConfigured: Boolean(credential),
  port: credential?.port ?? null,
  updatedAt: credential?.updatedAt ?? null,
})
