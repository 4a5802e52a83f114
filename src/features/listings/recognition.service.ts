// Finds out which game server answers at what a user has typed.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import {
  connectAddressOf,
  gameName,
  type LikelyTarget,
  likelyTargets,
  MAX_LIKELY_TARGETS,
  usualPort,
} from '../games/index.ts'
import { findPlayedAt, type GameAddressMatch } from '../servers/index.ts'
import { findListedId, requirePublic } from './listings.service.ts'
import type { createProbeClient } from './probe.service.ts'
import type { RecognizeServer, ServerRecognition } from './recognition.schema.ts'
import { readTypedAddress, type TypedAddress } from './typed-address.ts'

interface Recognizer extends Pick<Deps, 'settings'> {
  probe: ReturnType<typeof createProbeClient>
}

/** @throws ApiError 400 validation_failed, 429 rate_limited, 503 if no worker asked in time */
export async function recognizeServer(
  db: Db,
  { settings, probe }: Recognizer,
  { body, clientKey }: { body: RecognizeServer; clientKey: string },
): Promise<ServerRecognition> {
  const typed = readTypedAddress(body.address)
  if ('problem' in typed) throw invalidAddress(typed.problem)
  const { host: ipAddress, port } = typed
  requirePublic(settings, { address: ipAddress })
  const isOpen = body.game === undefined && port !== undefined
  const listed = isOpen ? await findPlayedAt(db, { ipAddress, gamePort: port }) : undefined
  const [first, ...others] = targetsOf(typed, body, listed)
  if (!first) throw invalidAddress('must be followed by the port that players use')
  // Without a game the given query port is not asked, so an answer must fit the typed port.
  const typedPort = body.game === undefined || body.queryPort === undefined ? port : undefined
  const answer = await probe({ ...first, ipAddress, others, typedPort }, clientKey)
  const { found, ...result } = answer.outcome === 'answered' ? answer : { ...answer, found: undefined }
  const game = body.game ?? found?.game ?? listed?.game ?? null
  const gamePort = found ? found.gamePort : (port ?? null)
  const queryPort = found?.queryPort ?? (body.game || listed ? first.queryPort : null)
  return {
    ipAddress,
    gamePort,
    queryPort,
    game,
    gameName: game && gameName(game),
    connectAddress: connectAddressOf({
      game: game ?? '',
      ipAddress,
      gamePort: gamePort ?? usualPort(game ?? '') ?? first.queryPort,
      gamePortGiven: gamePort !== null,
    }),
    hasPassword: found?.hasPassword ?? null,
    listedId: queryPort === null ? null : await findListedId(db, { ipAddress, queryPort }),
    result,
  }
}

const invalidAddress = (message: string) => validationFailed([{ path: 'body.address', message }])

/**
 * What is asked, best guess first.
 * @param listed what is known to run there: its query port may be one that no guess has
 */
function targetsOf(typed: TypedAddress, body: RecognizeServer, listed: GameAddressMatch | undefined) {
  const { port } = typed
  const guesses = guessesOf(typed, body)
  const targets = listed ? [{ ...listed, gamePort: port }, ...guesses].slice(0, MAX_LIKELY_TARGETS) : guesses
  const gamePortGiven = port !== undefined
  return targets.map(({ game, gamePort, queryPort }) => ({ game, gamePort, queryPort, gamePortGiven }))
}

function guessesOf({ port, games }: TypedAddress, { game, queryPort }: RecognizeServer): LikelyTarget[] {
  if (game === undefined) return likelyTargets(port, games)
  return queryPort === undefined ? likelyTargets(port, [game]) : [{ game, gamePort: port, queryPort }]
}
