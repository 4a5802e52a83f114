// Votes with webhooks while API processes, workers and PostgreSQL are killed, crashed, restarted and frozen.
import { it } from 'vitest'
import { harmUnder } from './support/load.ts'
import type { Members } from './support/members.ts'
import { startHarmedPostgres } from './support/postgres.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { createVoters } from './support/votes.ts'

const KINDS = [
  'API process killed',
  'API process killed, too',
  'both API processes killed',
  'worker killed',
  'worker frozen',
  'PostgreSQL restarted',
  'PostgreSQL crashed',
  'PostgreSQL frozen',
] as const
const postgres = await startHarmedPostgres()

it(
  'votes under kills: each that was answered by 200 is one row, and each webhook that was promised arrives',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const harm = async (kind: (typeof KINDS)[number], members: Members) => {
      const one = run.random() < 0.5 ? 0 : 1
      const forMs = run.between(1_000, run.rounds > 16 ? 25_000 : 4_000) // a worker's leases expire after 20 s
      if (kind === 'both API processes killed') await Promise.all([members.kill('api 0'), members.kill('api 1')])
      else if (kind === 'worker killed') await members.kill(`worker ${one}`)
      else if (kind === 'worker frozen') await members.freeze(`worker ${one}`, forMs)
      else if (kind === 'PostgreSQL restarted') await postgres.restart(forMs / 4)
      else if (kind === 'PostgreSQL crashed') await postgres.crash(forMs / 4)
      else if (kind === 'PostgreSQL frozen') await postgres.freezeFor(forMs / 2)
      else await members.kill(`api ${one}`)
    }
    await harmUnder(run, {
      url: postgres.url,
      loads: [await createVoters(postgres.pool)],
      faults: run.deal(KINDS),
      harm,
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
