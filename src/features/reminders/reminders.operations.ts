// The operations of reminders to vote: adding, reading and ending one.
import { validate as isUuid, v4 as uuidv4 } from 'uuid'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Redirect } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { requirePushService } from '../push/index.ts'
import { listedServer } from '../servers/index.ts'
import { voteReminder } from './reminders.jobs.ts'
import {
  MailReminderRequest,
  NO_SUCH_REMINDER,
  PushReminderRequest,
  Reminder,
  ReminderParams,
  ReminderQuery,
  RunningReminder,
} from './reminders.schema.ts'
import { offLink } from './reminders.service.ts'
import { deleteReminder, findReminder, type NewReminder, putReminder } from './reminders.sql.ts'

const common = { tag: 'Votes' } as const
const reminding = {
  ...common,
  method: 'post',
  description:
    'After a vote. A reminder is sent when the cooldown ends, unless you have voted by then; after three without a vote there are no more. ' +
    '`id` ends them, and so does each reminder with one click. A second request replaces the first.',
  resource: listedServer(),
  returns: Reminder,
  codes: ['vote_first'],
} as const

export function remindersOperations({ settings, jobs }: Pick<Deps, 'settings' | 'jobs'>) {
  const secretCipher = createSecretCipher(settings)

  async function add(tx: Db, reminder: Omit<NewReminder, 'id'>) {
    const added = await putReminder(tx, { ...reminder, id: uuidv4() })
    if (!added) throw new ApiError(400, 'vote_first', 'You can vote for this server now.')
    const { id, remindAt, isNewTime } = added
    const payload = { reminderId: id, dueAt: remindAt.toISOString() }
    if (isNewTime) await jobs.enqueue(tx, voteReminder, [payload], { startAfter: remindAt })
    return { id, remindAt }
  }

  return [
    operation({
      ...reminding,
      path: '/servers/{id}/vote/reminder',
      operationId: 'remindByPush',
      summary: 'Add a push reminder to vote again',
      body: PushReminderRequest,
      async handle({ tx, serverId, body: { visitorId, language, push } }) {
        requirePushService(settings, push.endpoint)
        const subscription = secretCipher.encrypt('push', JSON.stringify(push))
        return add(tx, { serverId, visitorId, language, channel: 'push', userId: null, subscription })
      },
    }),
    operation({
      ...reminding,
      access: 'session',
      path: '/servers/{id}/vote/mail-reminder',
      operationId: 'remindByMail',
      summary: 'Get a mail when you can vote for a server again',
      codes: [...reminding.codes, 'email_not_verified'],
      body: MailReminderRequest,
      async handle({ tx, actor: { userId }, serverId, body: { visitorId, language } }) {
        const user = await tx.prisma.user.findUnique({ where: { id: userId }, select: { emailVerifiedAt: true } })
        if (!user?.emailVerifiedAt)
          throw new ApiError(400, 'email_not_verified', 'Confirm the mail address of your account first.')
        return add(tx, { serverId, visitorId, language, channel: 'email', userId, subscription: null })
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: '/vote-reminders/off',
      operationId: 'openVoteReminder',
      summary: 'Redirect a browser to the page that ends reminders to vote',
      description:
        'For mail programs that open the address of `List-Unsubscribe` instead of posting to it. Ends nothing.',
      redirects: true,
      query: ReminderQuery,
      unknownInput: 'ignored',
      returns: z.undefined(),
      handle: async ({ query: { id } }) => new Redirect(offLink(settings.PUBLIC_BASE_URL, encodeURIComponent(id))),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/vote-reminders/{id}',
      operationId: 'getVoteReminder',
      summary: 'Get a reminder to vote',
      description: '404 when it has ended, by the visitor or by itself.',
      params: ReminderParams,
      returns: RunningReminder,
      errors: [404],
      async handle({ db, params: { id } }) {
        const reminder = await findReminder(db, id)
        if (!reminder) throw notFound(NO_SUCH_REMINDER)
        return reminder
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/vote-reminders/off',
      operationId: 'endVoteReminder',
      summary: 'End reminders to vote',
      description:
        'One click, as mail programs offer it by the mail’s `List-Unsubscribe` header (RFC 8058). Bodies are ignored. Doing it again ' +
        'changes nothing.',
      query: ReminderQuery,
      unknownInput: 'ignored',
      returns: Success,
      async handle({ tx, query: { id } }) {
        if (isUuid(id)) await deleteReminder(tx, id)
        return SUCCESS
      },
    }),
  ]
}
