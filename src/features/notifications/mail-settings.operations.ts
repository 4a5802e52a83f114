// Operations for the recipient of a notification mail, identified by its token.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { Redirect } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import {
  findPreferences,
  mergePreferences,
  NotificationPreferences,
  withDefaultPreferences,
} from '../accounts/index.ts'
import { deletePending } from './digests.sql.ts'
import { mailSettingsLink, requireRecipient, TOKEN_PATTERN } from './mail-settings.ts'

const token = z
  .string('must be a string')
  .regex(TOKEN_PATTERN, 'must be the token of a mail’s link')
  .meta({ examples: ['kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ123'] })
  .describe('From the mail; valid for these settings only, while the account keeps its address')

const MailSettings = NotificationPreferences.omit({ chat: true }).meta({ id: 'MailSettings' })
const MailSettingsRequest = z.strictObject({
  token,
  email: MailSettings.shape.email.optional(),
  events: MailSettings.shape.events.partial().optional(),
})

const common = { tag: 'Notifications', method: 'post', codes: ['invalid_token'] } as const

export const mailSettingsOperations = ({ settings }: Pick<Deps, 'settings'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/notifications/unsubscribe',
    operationId: 'openMailSettings',
    summary: 'Redirect a browser to the page with the settings of notification mails',
    description:
      'For mail programs that open the address of `List-Unsubscribe` instead of posting to it. Changes nothing.',
    redirects: true,
    query: z.object({ token }),
    unknownInput: 'ignored',
    returns: z.undefined(),
    codes: [],
    handle: async ({ query }) => new Redirect(mailSettingsLink(settings.PUBLIC_BASE_URL, query.token)),
  }),
  operation({
    ...common,
    path: '/notifications/unsubscribe',
    operationId: 'unsubscribeFromMail',
    summary: 'Turn off notification mails with the token of one',
    description:
      'One click, as mail programs offer it by the mail’s `List-Unsubscribe` header (RFC 8058). Other bodies are ignored. Doing it ' +
      'again changes nothing.',
    query: z.object({ token }),
    unknownInput: 'ignored',
    returns: Success,
    async handle({ tx, query }) {
      const userId = await requireRecipient(tx, settings, query.token)
      await mergePreferences(tx, userId, { email: false })
      await deletePending(tx, userId, ['email'])
      return SUCCESS
    },
  }),
  operation({
    ...common,
    path: '/notifications/mail-settings',
    operationId: 'changeMailSettings',
    summary: 'Get or change which notifications you get by mail, with the token of a mail',
    description: 'Absent fields stay, also in `events`.',
    body: MailSettingsRequest,
    returns: MailSettings,
    async handle({ tx, body: { token, ...change } }) {
      const userId = await requireRecipient(tx, settings, token)
      const isChange = change.email !== undefined || change.events !== undefined
      const stored = isChange ? await mergePreferences(tx, userId, change) : await findPreferences(tx, userId)
      if (change.email === false) await deletePending(tx, userId, ['email'])
      const { email, events } = withDefaultPreferences(stored)
      return { email, events }
    },
  }),
]
