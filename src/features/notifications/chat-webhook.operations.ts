// Operations of the chat webhook. An API key may not use them: the webhook gets the account's notifications.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { findUrlProblem } from '../../platform/target-url.ts'
import { requireActiveSession } from '../accounts/index.ts'
import { deleteChatWebhook, findChatWebhook, putChatWebhook } from './chat-webhooks.store.ts'
import { ChatWebhook, ChatWebhookRequest } from './notifications.schema.ts'

const common = {
  tag: 'Notifications',
  access: 'session',
  path: '/user/notification-preferences/chat-webhook',
} as const

export function chatWebhookOperations({ settings }: Pick<Deps, 'settings'>) {
  const secretCipher = createSecretCipher(settings)
  return [
    operation({
      ...common,
      method: 'get',
      operationId: 'getChatWebhook',
      summary: 'Get whether you have a chat webhook, and its host',
      returns: ChatWebhook,
      async handle({ db, actor }) {
        const encrypted = await findChatWebhook(db, actor.userId)
        // An address that neither APP_SECRET nor the previous secret can decrypt is unusable, so it counts as none.
        const url = encrypted === undefined ? undefined : secretCipher.decryptIfPossible('chat', encrypted)
        return { isSet: url !== undefined, host: url === undefined ? '' : new URL(url).host }
      },
    }),
    operation({
      ...common,
      method: 'put',
      operationId: 'setChatWebhook',
      summary: 'Set your chat webhook',
      description:
        'An incoming webhook of Discord or a compatible service, which gets `{ "content": "…" }`. It is used while `chat` of your ' +
        'notification preferences is true, and deleted once it answers 404 or 410.',
      body: ChatWebhookRequest,
      returns: ChatWebhook,
      async handle({ tx, actor, body }) {
        const message = findUrlProblem(body.url, {
          requireHttps: settings.NODE_ENV === 'production',
          allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
        })
        if (message) throw validationFailed([{ path: 'body.url', message }])
        await requireActiveSession(tx, actor)
        await putChatWebhook(tx, actor.userId, secretCipher.encrypt('chat', body.url))
        return { isSet: true, host: new URL(body.url).host }
      },
    }),
    operation({
      ...common,
      method: 'delete',
      operationId: 'deleteChatWebhook',
      summary: 'Delete your chat webhook; succeeds if there is none',
      returns: Success,
      async handle({ tx, actor }) {
        await deleteChatWebhook(tx, actor.userId)
        return SUCCESS
      },
    }),
  ]
}
