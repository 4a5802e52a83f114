// The operations by which moderators and administrators void votes: what a selection would change, voiding, the list of
// voidings, and restoring.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Actor } from '../../../platform/http/actor.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { operation, type Resource } from '../../../platform/http/operation.ts'
import type { JobQueue } from '../../../platform/queue/jobs.ts'
import { recordAction } from '../../audit/index.ts'
import { requireImpartial } from '../../servers/index.ts'
import { HOSTING_PROVIDERS } from '../origins/hosting-providers.ts'
import { voteVoiding } from '../votes.jobs.ts'
import { countSelected, findChanges } from './preview.sql.ts'
import {
  NewVoiding,
  RESTORABLE_DAYS,
  VoidingParams,
  VoidingsQuery,
  VotePreview,
  VoteSelection,
  VoteVoiding,
  VoteVoidings,
} from './voiding.schema.ts'
import {
  beginRestoring,
  findOwnServer,
  findVoiding,
  findVoidings,
  insertVoiding,
  lockVoiding,
  type VoidingRow,
} from './voidings.sql.ts'

const common = { tag: 'Administration', access: 'moderator' } as const

const lockedVoiding: Resource<'voiding', VoidingRow> = {
  name: 'voiding',
  params: VoidingParams,
  errors: [404],
  load: lockVoiding,
}

const audited = (actorId: string, voidingId: string) =>
  ({ actorId, targetType: 'vote-voiding', targetId: voidingId }) as const

export const voidingOperations = ({ jobs, clock }: Pick<Deps, 'jobs' | 'clock'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/admin/votes/preview',
    operationId: 'previewVoteVoiding',
    summary: 'Get what voiding selected votes would change',
    description:
      'All given criteria must apply. With votes of all time and places in the standings of the affected months, before and after. ' +
      'Networks are keyed hashes: their addresses are not stored.',
    query: VoteSelection,
    returns: VotePreview,
    async handle({ db, query }) {
      const now = new Date(clock())
      const until = query.until === undefined ? now : new Date(Math.min(Date.parse(query.until), now.getTime()))
      const { networks, ...totals } = await countSelected(db, query, until)
      return {
        ...totals,
        until,
        changes: await findChanges(db, query, until),
        networks: networks.map((network) => ({
          ...network,
          provider: HOSTING_PROVIDERS.get(network.networkOwner ?? 0) ?? '',
        })),
      }
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/votes/void',
    operationId: 'voidVotes',
    summary: 'Void selected votes, for a reason that the owners of the servers see',
    description:
      'A job voids them in the order of servers, at most some thousands in a transaction; `listVoteVoidings` shows its progress. Voided votes ' +
      `count nowhere; the voters’ cooldowns and what owners have rewarded stay. They can be restored for ${RESTORABLE_DAYS} days. A moderator ` +
      'names no server that they own or work on: 403.',
    body: NewVoiding,
    status: 202,
    returns: VoteVoiding,
    handle: ({ tx, actor, body: { reason, ...selection } }) => createVoiding(tx, jobs, actor, { reason, selection }),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/votes/voidings',
    operationId: 'listVoteVoidings',
    summary: 'List voidings of votes with their progress, newest first',
    query: VoidingsQuery,
    returns: VoteVoidings,
    handle: ({ db, query }) => findVoidings(db, query),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/votes/voidings/{id}/restore',
    operationId: 'restoreVotes',
    summary: 'Restore the votes of a voiding',
    description:
      `A job makes them count again, within ${RESTORABLE_DAYS} days after they were voided. Moderators restore what a moderator has voided, ` +
      'unless votes for a server that they own or work on are among them: everything else is 403.',
    resource: lockedVoiding,
    status: 202,
    returns: VoteVoiding,
    codes: ['not_restorable'],
    async handle({ tx, actor, voiding }) {
      const { id, status, isRestorable, votes } = voiding
      if (!actor.isAdmin) await requireModeratorsVoiding(tx, actor, voiding)
      if (!isRestorable) throw new ApiError(400, 'not_restorable', notRestorable(status))
      await beginRestoring(tx, id, actor.userId)
      await jobs.enqueue(tx, voteVoiding, [{ voidingId: id }])
      await recordAction(tx, { ...audited(actor.userId, id), action: 'votes.restore', details: { votes } })
      return findVoiding(tx, id)
    },
  }),
]

/**
 * Has a job void the selected votes, and audits it. Call it in a transaction.
 * @returns the voiding, in progress
 * @throws ApiError 403 if a moderator names a server that they own or work on
 */
export async function createVoiding(
  tx: Db,
  jobs: JobQueue,
  actor: Actor,
  { reason, selection }: { reason: string; selection: VoteSelection },
): Promise<VoidingRow> {
  const id = uuidv7()
  if (selection.serverId !== undefined) await requireImpartial(tx, actor, selection.serverId)
  await insertVoiding(tx, { id, createdBy: actor.userId, byModerator: !actor.isAdmin, reason, selection })
  await jobs.enqueue(tx, voteVoiding, [{ voidingId: id }])
  await recordAction(tx, { ...audited(actor.userId, id), action: 'votes.void', details: { reason, selection } })
  return findVoiding(tx, id)
}

/**
 * What an administrator has decided, a moderator does not undo; nor anything for their own servers (decision 77).
 * @throws ApiError 403
 */
async function requireModeratorsVoiding(tx: Db, actor: Actor, { id, byModerator }: VoidingRow): Promise<void> {
  if (!byModerator)
    throw new ApiError(
      403,
      'forbidden',
      'An administrator has voided these votes, so only administrators may restore them.',
    )
  const own = await findOwnServer(tx, id, actor.userId)
  if (own !== undefined) await requireImpartial(tx, actor, own)
}

function notRestorable(status: VoidingRow['status']): string {
  if (status === 'voided') return `Votes can be restored for ${RESTORABLE_DAYS} days, which have passed.`
  if (status === 'voiding') return 'The votes are still being voided. Restore them when that is done.'
  if (status === 'restoring') return 'The votes of this voiding are being restored already.'
  return 'The votes of this voiding are restored already.'
}
