// The endpoints of RCON.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import { RCON_CODES } from './outcomes.ts'
import { RconAnswer, RconCommand, RconSettings, RconState } from './rcon.schema.ts'
import { COMMANDS_A_MINUTE, FAILURES_A_QUARTER, type RconService } from './rcon.service.ts'

const common = { tag: 'RCON', access: 'user', params: ServerParams, path: '/servers/{id}/rcon', errors: [404] } as const

export function rconRoutes(rcon: RconService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      operationId: 'getRcon',
      summary: 'Whether RCON is set up for a server; its owner’s and administrators’',
      errors: [...common.errors],
      returns: RconState,
      handle: ({ actor, params }) => rcon.state(actor, params.id),
    }),
    route({
      ...common,
      method: 'put',
      operationId: 'configureRcon',
      summary: 'Sets the port and password of a server’s RCON; its owner’s and administrators’',
      description:
        'They count while the server has the owner it has now. Nothing is connected to until a command is sent.',
      body: RconSettings,
      errors: [...common.errors],
      returns: RconState,
      handle: ({ actor, params, body }) => rcon.configure(actor, params.id, body),
    }),
    route({
      ...common,
      method: 'post',
      operationId: 'sendRconCommand',
      summary: 'Sends a command to a server and answers with what it says; its owner’s and administrators’',
      description:
        'Source RCON, to the server’s own address, within 10 seconds; one command at a time a server. Every command is kept ' +
        'in the audit log with who sent it and how it ended, passwords in it hidden. At most ' +
        `${COMMANDS_A_MINUTE} commands a minute; after ${FAILURES_A_QUARTER} in vain to a server in a quarter of an hour 429. ` +
        'In production the server must have been proved yours.',
      body: RconCommand,
      errors: [...common.errors],
      codes: RCON_CODES,
      returns: RconAnswer,
      async handle({ actor, params, body }) {
        return { response: await rcon.send(actor, params.id, body.command) }
      },
    }),
    route({
      ...common,
      method: 'delete',
      operationId: 'removeRcon',
      summary: 'Forgets the port and password of a server’s RCON; its owner’s and administrators’',
      errors: [...common.errors],
      returns: Success,
      async handle({ actor, params }) {
        await rcon.remove(actor, params.id)
        return DONE
      },
    }),
  ]
}
