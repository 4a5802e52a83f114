// What can happen to a server that an owner's endpoint is told.

/** Those an endpoint can be subscribed to. */
export const EVENT_TYPES = ['vote.created', 'server.online', 'server.offline', 'server.wiped', 'auction.won'] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface ServerEvent {
  serverId: string
  /** `webhook.test` goes to whoever asks for it, subscribed or not. */
  type: EventType | 'webhook.test'
  at: Date
  /** Told as it is, in JSON. */
  data: object
}
