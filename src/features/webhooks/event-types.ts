// Events that are posted to endpoints.

/** Event types that an endpoint can subscribe to. */
export const EVENT_TYPES = ['vote.created', 'server.online', 'server.offline', 'server.wiped', 'auction.won'] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface ServerEvent {
  serverId: string
  /** `webhook.test` needs no subscription. */
  type: EventType | 'webhook.test'
  at: Date
  /** Sent unchanged, as JSON. */
  data: object
}
