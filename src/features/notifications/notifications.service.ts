// The rules of what users read, which servers they subscribe to, and where their chat messages go.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { Vault } from '../../platform/config/vault.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import type { SessionActor } from '../../platform/http/actor.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import { requireLivingSession } from '../accounts/index.ts'
import { noSuchServer } from '../directory/index.ts'
import { deleteChatWebhook, findChatWebhook, putChatWebhook } from './chat-webhooks.sql.ts'
import { describe, type SERVER_EVENTS } from './events.ts'
import {
  countNotifications,
  deleteSubscription,
  findNotifications,
  findSubscription,
  markRead,
  upsertSubscription,
} from './notifications.sql.ts'

/** Each may bring mail; nobody follows more. */
export const MAX_SUBSCRIPTIONS = 1_000

export type ServerEvent = (typeof SERVER_EVENTS)[number]

export type NotificationsService = ReturnType<typeof createNotificationsService>

interface Options {
  pool: Deps['pool']
  settings: Pick<Deps['settings'], 'LISTING_REQUIRES_VERIFICATION' | 'NODE_ENV'>
  vault: Vault
}

export function createNotificationsService({ pool, settings, vault }: Options) {
  const requireVerified = settings.LISTING_REQUIRES_VERIFICATION

  return {
    async list(userId: string, { unread = false, ...paging }: PageQuery & { unread?: boolean | undefined }) {
      const [rows, total] = await Promise.all([
        findNotifications(pool, userId, { unread, limit: paging.limit, offset: offsetOf(paging) }),
        countNotifications(pool, userId, unread),
      ])
      const notifications = rows.map(({ data, repeats, createdAt, readAt, id, event, serverId }) => ({
        id,
        event,
        serverId,
        ...describe(event, { data, repeats }),
        count: repeats,
        createdAt: createdAt.toISOString(),
        readAt: readAt?.toISOString() ?? null,
      }))
      return { notifications, pagination: paginationOf(paging, total) }
    },

    /** An id of somebody else's, or of nothing, changes nothing. @returns how many were unread */
    read: (userId: string, ids: string[]): Promise<number> =>
      markRead(
        pool,
        userId,
        ids.filter((id) => isUuid(id)),
      ),

    /** @throws ApiError 404 for a server that is not listed, unless the user subscribed to it before */
    async subscription(userId: string, serverId: string) {
      const events = isUuid(serverId) ? await findSubscription(pool, requireVerified, userId, serverId) : undefined
      if (!events) throw noSuchServer()
      return { events: events as ServerEvent[] }
    },

    /** @throws ApiError 404 for a server that is not listed; 400 too_many_subscriptions */
    async subscribe(userId: string, serverId: string, events: ServerEvent[]) {
      if (!isUuid(serverId)) throw noSuchServer()
      const given = { userId, serverId, events, max: MAX_SUBSCRIPTIONS }
      const { isListed, isSubscribed } = await upsertSubscription(pool, requireVerified, given)
      if (!isListed) throw noSuchServer()
      if (!isSubscribed)
        throw new ApiError(
          400,
          'too_many_subscriptions',
          `You subscribed to ${MAX_SUBSCRIPTIONS} servers, the most there can be.`,
        )
      return { events }
    },

    /** @throws ApiError 404 for a server that is not listed and was not subscribed to */
    async unsubscribe(userId: string, serverId: string): Promise<void> {
      if (!(isUuid(serverId) && (await deleteSubscription(pool, requireVerified, userId, serverId))))
        throw noSuchServer()
    },

    /** One that neither APP_SECRET nor the previous one opens is of no use, so it counts as none. */
    async chatWebhook(userId: string) {
      const sealed = await findChatWebhook(pool, userId)
      const url = sealed === undefined ? undefined : vault.openIfPossible('chat', sealed)
      return { isSet: url !== undefined, host: url === undefined ? '' : new URL(url).host }
    },

    /** @throws ApiError 400 for what is no address of the web; in production only https; 401 when the session ended meanwhile */
    async setChatWebhook(actor: SessionActor, given: string) {
      const url = URL.parse(given)
      const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && settings.NODE_ENV !== 'production')
      if (!url || !isWeb || url.username || url.password)
        throw validationFailed([
          { path: 'body.url', message: 'must be an https address without a user name or password' },
        ])
      await inTransaction(pool, async (tx) => {
        await requireLivingSession(tx, actor)
        await putChatWebhook(tx, actor.userId, vault.seal('chat', url.href))
      })
      return { isSet: true, host: url.host }
    },

    deleteChatWebhook: (userId: string): Promise<boolean> => deleteChatWebhook(pool, userId),
  }
}
