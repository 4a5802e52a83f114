// The job that queries an address once, before it is listed.
import * as z from 'zod'
import { AWAITED_JOB, defineJob } from '../../platform/queue/contract.ts'

export const ServerProbe = z.object({
  game: z.string(),
  /** IPv4 address, IPv6 address or DNS name. */
  ipAddress: z.string(),
  gamePort: z.int().min(1).max(65_535).optional(),
  /** False: SRV records decide the port. Absent in jobs of the previous release, which always had one. */
  gamePortGiven: z.boolean().optional(),
  queryPort: z.int().min(1).max(65_535),
})
export type ServerProbe = z.output<typeof ServerProbe>

const count = z.int().min(0)
const text = z.string()

/**
 * What its handler returns: the job's output, which the waiting request reads. `unresolved` also stands for a name that leads
 * to private addresses only: callers must not learn which names exist on a private network.
 */
export const ProbeResult = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('answered'),
    name: text,
    players: count,
    maxPlayers: count,
    map: text,
    version: text,
    queryMs: count.nullable(),
  }),
  z.object({ outcome: z.enum(['silent', 'unreadable', 'unresolved', 'unavailable']) }),
])
export type ProbeResult = z.output<typeof ProbeResult>

export const serverProbe = { ...defineJob('server-probe', ServerProbe, AWAITED_JOB), keepsResult: true as const }

export const jobs = { serverProbe }
