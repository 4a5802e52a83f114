// Has a worker query an address, and waits for its answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { unavailable } from '../../platform/http/errors.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { ProbeOutput, type ServerProbe, serverProbe } from '../servers/index.ts'

/** A silent server takes a worker 10 s of attempts, and its name may have to be resolved first. */
const WAIT_MS = 14_000
const LOOK_EVERY_MS = 150
const RETRY_AFTER_SECONDS = 10

/** Each query sends datagrams to an address that the caller chose; with more accounts one client must not send more. */
const PER_CLIENT = [
  { name: 'probe-client', limit: 20, windowSeconds: 60 },
  { name: 'probe-client-hour', limit: 120, windowSeconds: 3600 },
]
/** Limit of all callers together: at most as much as polls of a few servers send there. */
const PER_TARGET = [{ name: 'probe-target', limit: 12, windowSeconds: 60 }]

export const PROBE_LIMITS =
  'Limits that `probeServer` and `recognizeServer` share: 20 calls per minute and 120 per hour of a client address, and 12 per minute ' +
  'about a server address from all callers.'

export interface ProberOptions extends Pick<Deps, 'pool' | 'jobs'> {
  limits: Pick<Limits, 'consume'>
  /** How long to wait for a worker; 14 s by default. */
  probeWaitMs?: number
}

export function createProbeClient({ pool, jobs, limits, probeWaitMs = WAIT_MS }: ProberOptions) {
  /** @throws ApiError 429 rate_limited; 503 if no worker queried the address in time */
  return async function probe(target: ServerProbe, clientKey: string): Promise<ProbeOutput> {
    await limits.consume({ key: clientKey, policies: PER_CLIENT })
    await limits.consume({ key: target.ipAddress, policies: PER_TARGET })
    const id = uuidv7()
    await jobs.enqueue(pool, serverProbe, [target], { id })
    const deadline = performance.now() + probeWaitMs
    while (performance.now() < deadline) {
      await sleep(LOOK_EVERY_MS)
      const job = await jobs.boss.getJobById(serverProbe.queue, id)
      if (job?.state === 'completed') {
        const { data } = ProbeOutput.safeParse(job.output) // a worker of the previous release may have another outcome
        if (data) return data
        break
      }
      if (!job || job.state === 'failed' || job.state === 'cancelled') break
    }
    throw unavailable('The address could not be queried now.', RETRY_AFTER_SECONDS)
  }
}
