// Answering a finding by voiding its votes. "It is fine" is the report's `dismissed`.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { lockedReport, settleReport } from '../reports/index.ts'
import { orderVoiding, VoidingReason, VoteVoiding } from '../votes/index.ts'

export const signalsOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    method: 'post',
    path: '/admin/reports/{id}/void',
    operationId: 'voidReportedVotes',
    tag: 'Administration',
    access: 'moderator',
    summary: 'Void the votes of a finding, and resolve its report',
    description:
      'The same as `voidVotes` with the selection of the finding. Only an open report with a `finding` can be answered so. Moderators void no ' +
      'votes for a server that they own or work on: 403.',
    resource: lockedReport,
    body: z.object({ reason: VoidingReason }),
    status: 202,
    returns: VoteVoiding,
    codes: ['not_voidable'],
    async handle({ tx, actor, report, body: { reason } }) {
      if (report.finding === null) throw new ApiError(400, 'not_voidable', 'This report is no finding about votes.')
      if (report.status !== 'open') throw new ApiError(400, 'not_voidable', 'This report is no longer open.')
      await settleReport(tx, actor, report, { status: 'resolved' })
      return orderVoiding(tx, jobs, actor, { reason, selection: report.finding.selection })
    },
  }),
]
