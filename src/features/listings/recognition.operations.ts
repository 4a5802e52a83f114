// The operation that finds out which game server answers at an address.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { createProbeClient, PROBE_LIMITS, type ProberOptions } from './probe.service.ts'
import { RecognizeServer, ServerRecognition } from './recognition.schema.ts'
import { recognizeServer } from './recognition.service.ts'

const PER_MINUTE = 10

export function recognitionOperations({ settings, ...prober }: Pick<Deps, 'settings'> & ProberOptions) {
  const probe = createProbeClient(prober)
  return [
    operation({
      method: 'post',
      tag: 'Server management',
      access: 'user',
      scope: 'servers:write',
      path: '/servers/recognize',
      operationId: 'recognizeServer',
      summary: 'Find out which game server answers at an address or join link, before listing it',
      description:
        'Saves nothing. Asks for the games that are likely at the port, at most 8 times, and never at other ports than the typed one, ' +
        'the next one, the usual ones of a game, `queryPort`, and that of a server that is listed with the typed port. Only a ' +
        'server that uses the typed port, or answers at `queryPort`, counts as an answer. ' +
        `At most ${PER_MINUTE} per minute. ${PROBE_LIMITS}`,
      // The worker that queries the address must see the job.
      transaction: false,
      body: RecognizeServer,
      returns: ServerRecognition,
      limit: { name: 'server-recognition', limit: PER_MINUTE, windowSeconds: 60, per: 'user' },
      handle: ({ db, body, clientKey }) => recognizeServer(db, { settings, probe }, { body, clientKey }),
    }),
  ]
}
