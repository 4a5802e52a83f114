// The operations of browsers that get alerts by push. An API key may not use them: they get the account's messages.
import { createHash } from 'node:crypto'
import { v4 as uuidv4 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { requireActiveSession } from '../accounts/index.ts'
import { requirePushService } from '../push/index.ts'
import { BrowserParams, NewBrowser, NO_SUCH_BROWSER, PushBrowser, PushBrowsers } from './alerts.schema.ts'
import { deleteBrowser, findBrowsers, putBrowser } from './browsers.sql.ts'

/** Maximum per user. Each alert is sent to all browsers of its user. */
const MAX_BROWSERS = 10

const common = { tag: 'Favorites', access: 'session' } as const

export function browsersOperations({ settings }: Pick<Deps, 'settings'>) {
  const secretCipher = createSecretCipher(settings)
  return [
    operation({
      ...common,
      method: 'get',
      path: '/user/push-browsers',
      operationId: 'listPushBrowsers',
      summary: 'List the browsers that get your alerts, last added first',
      returns: PushBrowsers,
      handle: async ({ db, actor }) => ({ browsers: await findBrowsers(db, actor.userId) }),
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/push-browsers',
      operationId: 'addPushBrowser',
      summary: 'Add a push browser',
      description:
        `With its subscription to push messages (\`getPushKey\`). Adding a browser again replaces its subscription, also if it belonged ` +
        `to another account. It gets alerts until its session is ended (\`logout\`, \`endSession\`); a session that expires does not end them. Of more ` +
        `than ${MAX_BROWSERS} browsers the oldest is removed.`,
      body: NewBrowser,
      status: 201,
      returns: PushBrowser,
      async handle({ tx, actor, body: { language, push } }) {
        requirePushService(settings, push.endpoint)
        await requireActiveSession(tx, actor)
        const browser = {
          id: uuidv4(),
          userId: actor.userId,
          sessionId: actor.sessionId,
          endpointHash: createHash('sha256').update(push.endpoint).digest('base64url'),
          subscription: secretCipher.encrypt('push', JSON.stringify(push)),
          language,
        }
        return putBrowser(tx, browser, MAX_BROWSERS)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/user/push-browsers/{id}',
      operationId: 'removePushBrowser',
      summary: 'Remove a push browser',
      params: BrowserParams,
      errors: [404],
      returns: Success,
      async handle({ tx, actor, params: { id } }) {
        if (!(await deleteBrowser(tx, actor.userId, id))) throw notFound(NO_SUCH_BROWSER)
        return SUCCESS
      },
    }),
  ]
}
