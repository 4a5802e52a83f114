// Audit entries in replies, and their filters.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line } from '../../platform/text.ts'

export const AuditQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  actorId: z.uuid('must be an account’s id').optional().describe('The user who acted'),
  targetId: line(1, 100).optional().describe('Id of the target'),
  action: line(1, 100).optional().describe('For example `server.update`'),
})

export const AuditRecord = z
  .object({
    id: z.uuid(),
    at: Timestamp,
    actorId: z.uuid(),
    actorUsername: z.string().describe('The current name; empty if the account was deleted'),
    action: z.string(),
    targetType: z.string(),
    targetId: z.string(),
    details: z.record(z.string(), z.unknown()).describe('For a change, the changed fields in `before` and `after`'),
  })
  .meta({ id: 'AuditRecord' })

export const AuditRecords = pageOf('entries', AuditRecord)
