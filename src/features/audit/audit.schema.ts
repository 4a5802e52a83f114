// What the audit log shows.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { line } from '../../platform/text.ts'

export const AuditQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  actorId: z.uuid('must be an account’s id').optional().describe('Who did it'),
  targetId: line(1, 100).optional().describe('Id of what it was done to'),
  action: line(1, 100).optional().describe('What was done, as `server.update`'),
})
export type AuditQuery = z.output<typeof AuditQuery>

export const AuditRecord = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime({ precision: 3 }),
    actorId: z.uuid(),
    actorUsername: z.string().describe('As it is now; empty when the account is gone'),
    action: z.string(),
    targetType: z.string(),
    targetId: z.string(),
    details: z.record(z.string(), z.unknown()).describe('Of a change, its fields `before` and `after`'),
  })
  .meta({ id: 'AuditRecord' })

export const AuditRecords = z.object({ entries: z.array(AuditRecord), pagination: Pagination })
