// The operations of reminders to vote: the key for browsers' subscriptions, a reminder, and its end.
import { validate as isUuid, v4 as uuidv4 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher, SecretDecryptionError } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, unavailable, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { refusalOf } from '../../platform/target-url.ts'
import { listedServer } from '../servers/index.ts'
import { type PushKeys, readPushKeys } from './push-keys.store.ts'
import { isPushService } from './push-services.ts'
import { voteReminder } from './reminders.jobs.ts'
import { MailReminderRequest, PushKey, PushReminderRequest, Reminder, ReminderQuery } from './reminders.schema.ts'
import { deleteReminder, type NewReminder, putReminder } from './reminders.sql.ts'

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
const RETRY_AFTER_SECONDS = 60

export function remindersOperations({ settings, jobs, log }: Pick<Deps, 'settings' | 'jobs' | 'log'>) {
  const secretCipher = createSecretCipher(settings)
  let keys: PushKeys | undefined

  /** @throws validation error */
  function requirePushService(endpoint: string): void {
    const message = isPushService(endpoint, settings.PUSH_SERVICE_BASE_URL)
      ? refusalOf(endpoint, {
          requireHttps: settings.NODE_ENV === 'production',
          allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
        })
      : 'must be of a push service that browsers use'
    if (message) throw validationFailed([{ path: 'body.push.endpoint', message }])
  }

  async function add(tx: Db, reminder: Omit<NewReminder, 'id'>) {
    const added = await putReminder(tx, { ...reminder, id: uuidv4() })
    if (!added) throw new ApiError(400, 'vote_first', 'You can vote for this server now.')
    const { id, remindAt } = added
    const payload = { reminderId: id, dueAt: remindAt.toISOString() }
    await jobs.enqueue(tx, voteReminder, [payload], { startAfter: remindAt })
    return { id, remindAt }
  }

  return [
    operation({
      ...common,
      method: 'get',
      path: '/push/key',
      operationId: 'getPushKey',
      summary: 'Get the key for browsers’ push subscriptions',
      description: '`applicationServerKey` of `pushManager.subscribe`. It stays the same.',
      returns: PushKey,
      async handle({ db }) {
        try {
          keys ??= await readPushKeys(db, secretCipher)
        } catch (error) {
          if (!(error instanceof SecretDecryptionError)) throw error
          log.warn({ reason: error.message }, 'push messages can’t be sent')
          throw unavailable('Push messages can’t be sent at the moment.', RETRY_AFTER_SECONDS)
        }
        return { publicKey: keys.publicKey }
      },
    }),
    operation({
      ...reminding,
      path: '/servers/{id}/vote/reminder',
      operationId: 'remindByPush',
      summary: 'Have your browser reminded when you can vote for a server again',
      body: PushReminderRequest,
      async handle({ tx, serverId, body: { visitorId, language, push } }) {
        requirePushService(push.endpoint)
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
