// How a command can end, and the error that its sender gets.
import type { Settings } from '../../platform/config/settings.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { Credential, Target } from './credentials.sql.ts'

/** Why there is no answer, as messages for the owner. */
export const RCON_FAILURES = {
  unreachable: 'The server did not accept a connection on its RCON port.',
  not_public: 'The server’s address is not public.',
  timeout: 'The server did not answer in time; the command may have run.',
  wrong_password: 'The server rejected the password.',
  disconnected: 'The server closed the connection before its answer was complete; the command may have run.',
  protocol_error: 'The service on this port does not speak the RCON of the server’s game.',
  answer_too_large: 'The command ran, but its answer is larger than 256 kB.',
  unreadable: 'The stored password can no longer be decrypted. Set it again.',
  not_verified: 'Verify first that you own the server: POST /api/servers/{id}/claim.',
  not_configured: 'RCON is not set up for this server. Set its port and password first.',
} as const

export type RconFailureReason = keyof typeof RCON_FAILURES

/**
 * `unserved`: no worker started it in time, or the worker had no database. `lost`: a worker started it, and did
 * not report its outcome.
 */
export type Outcome = 'answered' | 'unserved' | 'lost' | RconFailureReason

/** Own codes of 400 of sending a command. */
export const RCON_CODES = [
  ...(Object.keys(RCON_FAILURES) as RconFailureReason[]).map((failure) => `rcon_${failure}` as const),
  'rcon_busy',
] as const

/** Those of `requireUsableRcon`, before a command is sent. */
export const UNUSABLE_RCON_CODES = ['rcon_not_configured', 'rcon_not_verified'] as const

const RETRY_AFTER_SECONDS = 5

/** Outcomes without a login, which are limited: RCON must not serve to guess passwords or to scan ports. */
const WITHOUT_LOGIN = ['unreachable', 'not_public', 'timeout', 'wrong_password', 'disconnected', 'protocol_error']
export const countsAsFailure = (outcome: Outcome): boolean => WITHOUT_LOGIN.includes(outcome)

export function errorOf(outcome: Exclude<Outcome, 'answered'>): ApiError {
  if (outcome === 'unserved') return unavailable('The command could not be sent and did not run.', RETRY_AFTER_SECONDS)
  if (outcome === 'lost')
    return new ApiError(
      400,
      'rcon_timeout',
      'The command was still running at the end of its time limit; it may have run.',
    )
  return new ApiError(400, `rcon_${outcome}`, RCON_FAILURES[outcome])
}

export const rconBusy = () =>
  new ApiError(400, 'rcon_busy', 'Another command to this server is running. Try again after its answer.')

/**
 * The target if a command may be sent to it now, or why not. Any account can list any address, so in production
 * connections are opened only to servers whose owner is verified.
 */
export function usableTarget(
  target: Target | undefined,
  { NODE_ENV }: Pick<Settings, 'NODE_ENV'>,
): (Target & { credential: Credential }) | 'not_configured' | 'not_verified' {
  if (!target?.credential) return 'not_configured'
  // Also for members of the team: the password is the owner's. The answer does not mention the ban.
  if (target.isOwnerBanned) return 'not_configured'
  if (NODE_ENV === 'production' && !target.isVerified) return 'not_verified'
  return { ...target, credential: target.credential }
}
