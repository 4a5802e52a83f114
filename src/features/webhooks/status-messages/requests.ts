// Requests to a webhook of Discord's that create and edit a message, and what the answers mean
// (https://discord.com/developers/docs/resources/webhook, https://discord.com/developers/docs/topics/rate-limits).
import * as z from 'zod'
import { isGlobalLimit, MAX_WAIT_SECONDS, waitOf } from '../kinds/discord.ts'
import type { Answer, OutgoingRequest } from '../kinds/kind.ts'

/** A message with one embed has 2 to 4 kB; a creation's reply without its end has no id. */
const MAX_REPLY_BYTES = 64 * 1024
/** Discord's codes (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json). */
const UNKNOWN_MESSAGE = 10_008
const UNKNOWN_WEBHOOK = 10_015
const INVALID_WEBHOOK_TOKEN = 50_027
/** Too many edits of a message that is older than an hour: about the message, not the webhook. */
const TOO_MANY_EDITS = 30_046

/** Discord's id of a webhook, from its URL. */
export const webhookIdOf = (url: string): string => /\/webhooks\/(\d+)\//.exec(url)?.[1] ?? ''

/** Whether messages of both URLs are in one channel, or one thread of it, however the URLs are written. */
export const isSameChannel = (one: string, other: string): boolean => channelOf(one) === channelOf(other)

const channelOf = (url: string) => `${webhookIdOf(url)} ${new URL(url).searchParams.get('thread_id') ?? ''}`

/** @param messageId null: creates a message */
export function requestOf(url: string, messageId: string | null, body: string): OutgoingRequest {
  const target = new URL(url)
  if (messageId === null)
    target.searchParams.set('wait', 'true') // else the reply has no id
  else target.pathname += `/messages/${messageId}`
  return {
    method: messageId === null ? 'POST' : 'PATCH',
    url: target.href,
    headers: {},
    body,
    responseBytes: MAX_REPLY_BYTES,
  }
}

/** What Discord limits the rate of: everything that this service sends, one webhook, or one message. */
export type LimitedScope = 'global' | 'webhook' | 'message'

export type MessageOutcome =
  | { outcome: 'written'; messageId: string }
  /** The message was deleted. */
  | { outcome: 'deleted' }
  /** The webhook was deleted, or its token is no longer valid. */
  | { outcome: 'gone' }
  | { outcome: 'limited'; scope: LimitedScope; seconds: number }
  /** Nothing was written. @property error in the owner's words */
  | { outcome: 'failed'; error: string }
  /** Whether the message was created is unknown. */
  | { outcome: 'unconfirmed'; error: string }

const Created = z.object({ id: z.string().regex(/^\d{1,20}$/) })
const Problem = z.object({ code: z.number().catch(0) })

/** @param messageId null: the request creates a message */
export function outcomeOf(answer: Answer, messageId: string | null): MessageOutcome {
  const { status, error = 'no answer', isUnsent } = answer
  const isCreation = messageId === null
  if (status === undefined) return { outcome: isCreation && !isUnsent ? 'unconfirmed' : 'failed', error }
  if (status >= 200 && status < 300) {
    if (!isCreation) return { outcome: 'written', messageId }
    const created = Created.safeParse(parsed(answer.response))
    return created.success
      ? { outcome: 'written', messageId: created.data.id }
      : { outcome: 'unconfirmed', error: 'the reply has no message id' }
  }
  const { code } = Problem.catch({ code: 0 }).parse(parsed(answer.response))
  if (status === 429) return { outcome: 'limited', scope: scopeOf(answer, code), seconds: waitOf(answer) }
  if (code === UNKNOWN_WEBHOOK || code === INVALID_WEBHOOK_TOKEN) return { outcome: 'gone' }
  if (code === UNKNOWN_MESSAGE && !isCreation) return { outcome: 'deleted' }
  // A gateway's error says nothing about what happened behind it.
  if (status >= 500 && isCreation) return { outcome: 'unconfirmed', error: `HTTP ${status}` }
  return { outcome: 'failed', error: code ? `HTTP ${status}, Discord’s error ${code}` : `HTTP ${status}` }
}

function scopeOf(answer: Answer, code: number): LimitedScope {
  if (isGlobalLimit(answer)) return 'global'
  return code === TOO_MANY_EDITS ? 'message' : 'webhook'
}

/** @returns seconds until the webhook may be used again, at most an hour; undefined if it has requests left */
export function pauseSecondsOf({ rateLimit = {} }: Answer): number | undefined {
  const seconds = Number(rateLimit['x-ratelimit-reset-after'])
  return rateLimit['x-ratelimit-remaining'] === '0' && seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : undefined
}

function parsed(response: string): unknown {
  try {
    return JSON.parse(response)
  } catch {
    return undefined // a proxy in front of Discord answers in HTML
  }
}
