// The job that queries an address once, before it is listed.
import * as z from 'zod'
import { AWAITED_JOB, defineJob } from '../../platform/queue/contract.ts'
import { MAX_LIKELY_TARGETS } from '../games/index.ts'

const port = z.int().min(1).max(65_535)

const ProbeTarget = z.object({
  game: z.string(),
  gamePort: port.optional(),
  /** False: SRV records decide the port. Absent in jobs of the previous release, which always had one. */
  gamePortGiven: z.boolean().optional(),
  queryPort: port,
})

export const ServerProbe = ProbeTarget.extend({
  /** IPv4 address, IPv6 address or DNS name. */
  ipAddress: z.string(),
  /** What else may answer there, if only the address is known: the first that answers is the result. */
  others: z
    .array(ProbeTarget)
    .max(MAX_LIKELY_TARGETS - 1)
    .optional(),
  /** The port that was typed, which the server must use; only if there are `others`. */
  typedPort: port.optional(),
})
export type ServerProbe = z.output<typeof ServerProbe>

const count = z.int().min(0)
const text = z.string()

const Answered = z.object({
  outcome: z.literal('answered'),
  name: text,
  players: count,
  maxPlayers: count,
  map: text,
  version: text,
  queryMs: count.nullable(),
})
/**
 * `unresolved` also means a name that leads to private addresses only: callers must not learn which names exist
 * on a private network.
 */
const Missed = z.object({ outcome: z.enum(['silent', 'unreadable', 'unresolved', 'unavailable']) })

export const ProbeResult = z.discriminatedUnion('outcome', [Answered, Missed])
export type ProbeResult = z.output<typeof ProbeResult>

/** Which game answered, if that was not known. `gamePort` is null if players connect without a port. */
const FoundServer = z.object({
  game: text,
  gamePort: port.nullable(),
  queryPort: port,
  hasPassword: z.boolean().nullable(),
})
export type FoundServer = z.output<typeof FoundServer>

/** What its handler returns: the job's output, which the waiting request reads. */
export const ProbeOutput = z.discriminatedUnion('outcome', [Answered.extend({ found: FoundServer.optional() }), Missed])
export type ProbeOutput = z.output<typeof ProbeOutput>

export const serverProbe = { ...defineJob('server-probe', ServerProbe, AWAITED_JOB), keepsResult: true as const }

export const jobs = { serverProbe }
