// SQL, because findings are refreshed and filed as a set, by what moderators have decided about the same ones before.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { FINDING_REASON, type FindingNumbers, type VoteFinding } from './reports.schema.ts'

/** Days in which what a moderator has dismissed is not reported again. */
export const QUIET_DAYS = 30
/** Days in which what a moderator has resolved is not: a job may still be voiding the votes. */
const RESOLVED_DAYS = 1

export interface NewFinding {
  signal: z.output<typeof VoteFinding>['signal']
  /** Null: about the votes of all servers. */
  serverId: string | null
  numbers: z.output<typeof FindingNumbers>
  selection: z.output<typeof VoteFinding>['selection']
}

const FOUND = `json_to_recordset($findings) as found (id uuid, signal text, "serverId" uuid, numbers jsonb, selection jsonb)`
const IS_ABOUT_SAME = 'reports.signal = found.signal and reports.server_id is not distinct from found."serverId"'
/** Bursts of different days are different; the job does not run at the same second each day. */
const IS_SAME = `${IS_ABOUT_SAME}
  and (found.signal <> 'burst' or (reports.selection ->> 'until')::timestamptz > (found.selection ->> 'from')::timestamptz + interval '12 hours')`
const IS_OPEN_SAME = `reports.status = 'open' and ${IS_SAME}`

/**
 * Reports suspicious votes. An open report by the same signal for the same server gets the new numbers and selection,
 * except that each burst has a report of its own.
 * @returns number of new reports
 */
export const fileFindings = (pool: Pool, findings: readonly NewFinding[]): Promise<number> =>
  inTransaction(pool, async (tx) => {
    await refreshOpen(tx, findings)
    return insertNew(tx, findings)
  })

/** The first statement, so that the next one sees what was decided while this one waited. */
async function refreshOpen(tx: Db, findings: readonly NewFinding[]): Promise<void> {
  await tx.query(
    namedParameters({
      text: `
        update reports
        set numbers = found.numbers, selection = found.selection, updated_at = now()
        from ${FOUND}
        where ${IS_OPEN_SAME}`,
      values: { findings: JSON.stringify(findings) },
    }),
  )
}

async function insertNew(tx: Db, findings: readonly NewFinding[]): Promise<number> {
  const { rowCount } = await tx.query(
    namedParameters({
      text: `
        insert into reports (id, server_id, reason, signal, numbers, selection)
        select id, "serverId", $reason, signal, numbers, selection
        from ${FOUND}
        where not exists (select from reports where ${IS_OPEN_SAME})
          and not exists (
            select from reports
            where status = 'dismissed' and updated_at > now() - make_interval(days => $quietDays) and ${IS_ABOUT_SAME}
              or status = 'resolved' and updated_at > now() - make_interval(days => $resolvedDays) and ${IS_SAME})
          and ("serverId" is null or exists (select from servers where servers.id = "serverId"))`,
      values: {
        findings: JSON.stringify(findings.map((finding) => ({ id: uuidv7(), ...finding }))),
        reason: FINDING_REASON,
        quietDays: QUIET_DAYS,
        resolvedDays: RESOLVED_DAYS,
      },
    }),
  )
  return rowCount ?? 0
}
