// The rules of the contact form: how often, what is mailed, and how long messages are kept.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { recordAction } from '../audit/index.ts'
import { mail } from '../mail/index.ts'
import type { ContactForm, ContactMessages, MessagesQuery } from './contact.schema.ts'
import { countMessages, deleteMessage, deleteOldMessages, findMessages, insertMessage } from './contact.sql.ts'
import { operatorsOf } from './operators.ts'

/** Interface.md §8 "Contact form". */
export const MESSAGES_AN_HOUR = 5
const CONTACT: LimitPolicy[] = [{ name: 'contact', limit: MESSAGES_AN_HOUR, windowSeconds: 3600 }]
const KEPT_DAYS = 365
/** Looked at, if ever, to see whether the hidden field catches people. */
const SUSPECT_KEPT_DAYS = 30

export interface ContactService {
  /** @param visitor keyed hash of the sender's address. @throws ApiError 429 after 5 in an hour; 503 when they can't be counted */
  take(form: ContactForm, visitor: string): Promise<void>
  list(query: MessagesQuery): Promise<z.input<typeof ContactMessages>>
  /** @throws ApiError 404 */
  remove(actorId: string, id: string): Promise<void>
}

export interface ContactOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings'> {
  limits: Pick<Limits, 'take'>
}

export function createContactService({ pool, jobs, settings, limits }: ContactOptions): ContactService {
  const isAnybodyWrittenTo = operatorsOf(settings).length > 0
  return {
    async take({ website, ...form }, visitor) {
      await limits.take({ key: visitor, policies: CONTACT })
      const isSuspect = website !== undefined && website !== null && website !== ''
      const id = uuidv7()
      await inTransaction(pool, async (tx) => {
        await insertMessage(tx, { ...form, id, visitor, isSuspect })
        if (isAnybodyWrittenTo && !isSuspect) await jobs.enqueue(tx, mail, [{ kind: 'contact-message', contactId: id }])
      })
    },

    async list({ page, limit, suspect }) {
      const total = await countMessages(pool, suspect)
      const rows = await findMessages(pool, suspect, { limit, offset: offsetOf({ page, limit }) })
      const messages = rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
      return { messages, pagination: paginationOf({ page, limit }, total) }
    },

    remove: (actorId, id) =>
      inTransaction(pool, async (tx) => {
        if (!isUuid(id) || !(await deleteMessage(tx, id))) throw notFound('There is no such message.')
        await recordAction(tx, { actorId, action: 'contact.delete', targetType: 'contact-message', targetId: id })
      }),
  }
}

export async function runContactRetention({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const messages = await deleteOldMessages(pool, { kept: KEPT_DAYS, suspectKept: SUSPECT_KEPT_DAYS })
  log.info({ messages }, 'old contact messages deleted')
}
