// A kind of endpoint: one module that declares its fields and speaks its protocol
// (docs/decisions/0033-endpoint-kinds.md).
import type * as z from 'zod'
import type { ErrorDetail } from '../../../platform/http/errors.ts'
import type { UrlRules } from '../../../platform/target-url.ts'
import type { EventType, ServerEvent } from '../event-types.ts'

/** Which targets this installation allows. */
export interface TargetRules extends UrlRules {
  /** Setting DISCORD_BASE_URL. */
  discordBaseUrl: string
}

export interface OutgoingDelivery {
  /** The same at each attempt. */
  id: string
  type: ServerEvent['type']
  /** The event as JSON: `type`, `timestamp`, `data`. */
  body: string
}

/** An endpoint's address and secrets, decrypted. */
export interface DecryptedTarget {
  url: string
  /** The current one first; empty if the kind has none. */
  secrets: string[]
}

export interface SendContext {
  /** Epoch milliseconds. */
  now: number
  /** Setting PUBLIC_BASE_URL. */
  baseUrl: string
}

/** What came back from an endpoint. */
export interface Answer {
  /** HTTP status; undefined if there was no response, and for other protocols. */
  status?: number
  /** A short, stable reason in the owner's words, without secrets. */
  error?: string
  latencyMs: number
  /** The first kilobyte of what the endpoint answered, as text that can be stored. */
  response: string
  retryAfter?: string
  /** The other headers that limit a client's rate: `x-ratelimit-…`. */
  rateLimit?: Record<string, string>
  /** True if no part of the request was sent, so that it had no effect. */
  isUnsent?: true
  /** True if the endpoint refused this delivery for a reason of its own, and may take others. */
  isRejection?: true
}

export interface OutgoingRequest {
  /** POST by default. */
  method?: 'POST' | 'PATCH'
  url: string
  headers: Record<string, string>
  body: string | Buffer
  /** Aborted when the URL must no longer be used. */
  signal?: AbortSignal
  /** How much of the response is needed; its first kilobyte by default. */
  responseBytes?: number
}

const REASONS = {
  timeout: 'timeout',
  closed: 'connection closed',
  'too long': 'answer too long',
  rejected: 'rejected',
  changed: 'the endpoint was changed',
}

/** A conversation that ended otherwise than it should. */
export class ConversationError extends Error {
  override name = 'ConversationError'
  readonly reason: keyof typeof REASONS
  /** The reason as text for the owner. */
  readonly inWords: string

  constructor(reason: keyof typeof REASONS, inWords: string = REASONS[reason]) {
    super(inWords)
    this.reason = reason
    this.inWords = inWords
  }
}

export interface Conversation {
  /**
   * What was received since the last `read`, once that is complete or the other side has ended the connection.
   * @throws ConversationError
   */
  read(isComplete: (text: string) => boolean): Promise<string>
  write(data: Buffer | string): void
}

/** Connections to allowed addresses only, bounded in time and bytes. Workers have one; nothing here opens a socket. */
export interface Transport {
  /** Never throws. Does not follow redirects. */
  post(request: OutgoingRequest): Promise<Answer>
  /** Opens a TCP connection. Never throws: what `talk` throws is the answer's `error`. */
  converse(
    target: { host: string; port: number; signal: AbortSignal },
    talk: (conversation: Conversation) => Promise<void>,
  ): Promise<Answer>
}

/** What an answer means. */
export type Verdict =
  | { outcome: 'delivered' }
  /**
   * `retryAfter`: RFC 9110 §10.2.3. `isRetriedAlone`: the endpoint rejected only this delivery, so later ones do not
   * wait for it, even if they are ordered.
   */
  | { outcome: 'failed'; retryAfter?: string; isRetriedAlone?: true }
  /** The endpoint no longer exists and is disabled. */
  | { outcome: 'gone' }
  /** The delivery can never arrive, and the endpoint is not at fault: dead without another attempt. */
  | { outcome: 'refused' }
  /** The endpoint asks for a pause (429), `isGlobal`: for all endpoints of Discord. It does not count as a failure. */
  | { outcome: 'limited'; waitSeconds: number; isGlobal?: boolean }

/** Whether it says nothing of the endpoint. */
export const concernsDeliveryOnly = (verdict: Verdict): boolean =>
  verdict.outcome === 'refused' || 'isRetriedAlone' in verdict

/** Whether the endpoint may take its next delivery. */
export const mayTakeNext = (verdict: Verdict): boolean =>
  verdict.outcome === 'delivered' || concernsDeliveryOnly(verdict)

export interface EndpointKind<Fields extends z.ZodRawShape = z.ZodRawShape, Message = unknown> {
  /** What an owner sets, `events` included if there is a choice. */
  fields: Fields
  /** The fields that make the URL, the required one first; the others keep it. */
  address: readonly (keyof Fields & string)[]
  /** Whether it shows the server's status in one message and gets no events. */
  showsStatus?: true
  /** Whether deliveries wait while earlier ones fail. Otherwise each is retried independently. */
  isOrdered?: true
  /**
   * The field that is the endpoint's secret; `generated` if this service makes it; undefined if the
   * URL is the only one.
   */
  secret?: (keyof Fields & string) | 'generated'
  /** The events that it gets if `fields` has no `events`. */
  events?: readonly EventType[]
  /** What replies show of the address. */
  shown: z.ZodRawShape
  /** @returns why fields are refused that are valid by themselves */
  refuse(fields: Partial<z.output<z.ZodObject<Fields>>>, rules: TargetRules): ErrorDetail | undefined
  /** @param fields those of `address` */
  urlOf(fields: z.output<z.ZodObject<Fields>>): string
  /**
   * @param url undefined if it can't be decrypted
   * @param options.showsWholeUrl to the owner: others must not see what may be a secret
   * @returns the fields of `shown`
   */
  show(url: string | undefined, options: { showsWholeUrl: boolean }): Record<string, unknown>
  /** What the mail about a disabled endpoint says after its host, if the outcome `gone` exists. */
  gone?: string
  /** @returns what `send` sends, or why the delivery can't be sent */
  prepare(delivery: OutgoingDelivery, target: DecryptedTarget, context: SendContext): Message | { refusal: string }
  send(message: Message, transport: Transport, signal: AbortSignal): Promise<Answer>
  classify(answer: Answer): Verdict
}

/** Infers the types of a kind from its declaration; the table has them without. */
export const defineKind = <Fields extends z.ZodRawShape, Message extends object>(
  kind: EndpointKind<Fields, Message>,
): EndpointKind => kind as unknown as EndpointKind
