// How a command can end, and what whoever sent it is told.
import { ApiError, unavailable } from '../../platform/http/errors.ts'

/** Why a game server gave no answer, in words for its owner. */
const FAILURES = {
  unreachable: 'The server took no connection on its RCON port.',
  not_public: 'The server’s address is not a public one.',
  timeout: 'The server did not answer in time; the command may have run.',
  wrong_password: 'The server refused the password.',
  disconnected: 'The server closed the connection before its answer was whole; the command may have run.',
  protocol_error: 'What answers on this port does not speak Source RCON.',
  answer_too_large: 'The command ran, but its answer is larger than 256 kB.',
  unreadable: 'The stored password can’t be read any more: set it again.',
  not_configured: 'RCON is not set up for this server: PUT its port and password first.',
} as const

export type RconFailed = keyof typeof FAILURES

/** `unserved`: no worker took it in time. `lost`: one took it, and did not tell how it ended. */
export type Outcome = 'answered' | 'unserved' | 'lost' | RconFailed

/** Own codes of 400 of sending a command. */
export const RCON_CODES = [
  ...(Object.keys(FAILURES) as RconFailed[]).map((failure) => `rcon_${failure}` as const),
  'rcon_busy',
  'rcon_not_verified',
] as const

const RETRY_AFTER_SECONDS = 5

/** What did not reach a server that let us in: counted, so that nobody finds out passwords or open ports by us. */
export const isStranded = (outcome: Outcome): boolean =>
  outcome === 'unreachable' ||
  outcome === 'not_public' ||
  outcome === 'timeout' ||
  outcome === 'wrong_password' ||
  outcome === 'disconnected' ||
  outcome === 'protocol_error'

export function errorOf(outcome: Exclude<Outcome, 'answered'>): ApiError {
  if (outcome === 'unserved')
    return unavailable('The command could not be sent now, and did not run.', RETRY_AFTER_SECONDS)
  if (outcome === 'lost')
    return new ApiError(400, 'rcon_timeout', 'The command was under way when its time was over; it may have run.')
  return new ApiError(400, `rcon_${outcome}`, FAILURES[outcome])
}

export const busy = () =>
  new ApiError(400, 'rcon_busy', 'Another command to this server is under way; try again when it is answered.')

export const notVerified = () =>
  new ApiError(400, 'rcon_not_verified', 'Prove first that the server is yours: POST /api/servers/{id}/claim.')
