// Has a worker query an address, and waits for its answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { unavailable } from '../../platform/http/errors.ts'
import { ProbeOutput, type ServerProbe, serverProbe } from '../servers/index.ts'

/** A silent server takes a worker 10 s of attempts, and its name may have to be resolved first. */
const WAIT_MS = 14_000
const LOOK_EVERY_MS = 150
const RETRY_AFTER_SECONDS = 10

export interface ProberOptions extends Pick<Deps, 'pool' | 'jobs'> {
  /** How long to wait for a worker; 14 s by default. */
  probeWaitMs?: number
}

export function createProbeClient({ pool, jobs, probeWaitMs = WAIT_MS }: ProberOptions) {
  /** @throws ApiError 503 if no worker queried the address in time */
  return async function probe(target: ServerProbe): Promise<ProbeOutput> {
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
