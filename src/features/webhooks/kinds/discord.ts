// Messages in a channel of Discord, by its webhooks:
// https://discord.com/developers/docs/resources/webhook#execute-webhook
import * as z from 'zod'
import type { ErrorDetail } from '../../../platform/http/errors.ts'
import { findUrlProblem, TargetUrl } from '../../../platform/target-url.ts'
import { escapeMarkdown, plural } from '../../../platform/text.ts'
import { serverLink } from '../../servers/index.ts'
import { Events, type ServerEvent } from '../event-types.ts'
import { type Answer, defineKind, type OutgoingRequest, type TargetRules } from './kind.ts'

const HOSTS = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com']
/** A webhook's path, without the suffixes for other services' formats. */
const WEBHOOK_PATH = /^\/api(?:\/v\d{1,3})?\/webhooks\/\d+\/[\w-]+$/
/** Discord's maximum. */
export const MAX_TITLE = 256
/** If a 429 does not say how long to wait, and at most. */
const DEFAULT_WAIT_SECONDS = 5
export const MAX_WAIT_SECONDS = 3_600

export const COLORS = { good: 0x2e_9e_5b, bad: 0xc0_39_2b, neutral: 0x3b_6f_d4 }

const URL_FIELD = { url: TargetUrl.describe('The URL of the channel’s webhook, as Discord shows it; never returned') }

/** What all kinds have that use a webhook of Discord's. */
export const WEBHOOK_ADDRESS = {
  fields: URL_FIELD,
  address: ['url'] as const,
  shown: {
    url: z.string().describe('Up to the host; empty if it can’t be decrypted and must be set again'),
  },
  refuse({ url }: { url?: string | undefined }, rules: TargetRules): ErrorDetail | undefined {
    if (url === undefined) return undefined
    const refusal = (message: string) => ({ path: 'body.url', message })
    const { protocol, hostname, port, pathname, searchParams, origin } = new URL(url)
    const isDiscord = protocol === 'https:' && port === '' && HOSTS.includes(hostname)
    const isKnown = isDiscord || origin === new URL(rules.discordBaseUrl).origin
    const isWebhook = WEBHOOK_PATH.test(pathname) && [...searchParams.keys()].every((name) => name === 'thread_id')
    if (!isKnown || !isWebhook) return refusal('must be the URL of a Discord webhook')
    const message = findUrlProblem(url, rules)
    return message === undefined ? undefined : refusal(message)
  },
  urlOf: ({ url }: { url: string }) => url,
  /** The URL is the secret, so that not even the owner sees it again. */
  show: (url: string | undefined) => ({ url: url === undefined ? '' : `${new URL(url).origin}/…` }),
  gone: 'no longer knows this webhook',
}

export const discord = defineKind({
  ...WEBHOOK_ADDRESS,
  fields: { ...URL_FIELD, events: Events },
  isOrdered: true,
  prepare: ({ type, body }, { url }, { baseUrl }): OutgoingRequest => ({
    url,
    headers: {},
    body: JSON.stringify({ embeds: [embedOf(type, body, baseUrl)], allowed_mentions: { parse: [] } }),
  }),
  send: (request, { post }, signal) => post({ ...request, signal }),
  classify(answer) {
    const { status = 0 } = answer
    if (status >= 200 && status < 300) return { outcome: 'delivered' }
    if (status === 404 || status === 410) return { outcome: 'gone' }
    if (status === 429) return { outcome: 'limited', waitSeconds: waitOf(answer), isGlobal: isGlobalLimit(answer) }
    // Not this message, however often it is sent; the next one may be fine.
    return { outcome: status === 400 ? 'refused' : 'failed' }
  },
})

const RateLimited = z.object({ retry_after: z.number().nonnegative() })

/** The requested wait in seconds: the body is precise, the header is rounded up. */
export function waitOf({ response, retryAfter }: Pick<Answer, 'response' | 'retryAfter'>): number {
  let seconds = Number(retryAfter ?? Number.NaN)
  try {
    seconds = RateLimited.parse(JSON.parse(response)).retry_after
  } catch {
    // A proxy in front of Discord answers in HTML.
  }
  return seconds >= 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : DEFAULT_WAIT_SECONDS
}

const Global = z.object({ global: z.literal(true) })

/** Whether a 429 is about all that this service sends to Discord, and not about one webhook. */
export function isGlobalLimit({ response, rateLimit = {} }: Pick<Answer, 'response' | 'rateLimit'>): boolean {
  if ('x-ratelimit-global' in rateLimit || rateLimit['x-ratelimit-scope'] === 'global') return true
  try {
    return Global.safeParse(JSON.parse(response)).success
  } catch {
    return false
  }
}

const text = z.string().catch('')
const count = z.number().catch(0)
const EventBody = z.object({
  timestamp: z.string(),
  data: z.object({
    serverId: text,
    serverName: text,
    username: text,
    totalVotes: count,
    monthlyVotes: count,
    streak: count,
    currentPlayers: count,
    maxPlayers: count,
    map: text,
    title: text,
  }),
})
type EventData = z.output<typeof EventBody>['data']

const TEMPLATES: Record<ServerEvent['type'], { color: number; describe(data: EventData): string }> = {
  'vote.created': {
    color: COLORS.good,
    describe: ({ username, totalVotes, monthlyVotes, streak }) =>
      `${username ? `**${escapeMarkdown(username)}**` : 'A visitor'} voted${streak > 1 ? `, on ${streak} days in a row` : ''}: ${plural(monthlyVotes, 'vote', 'votes')} this month, ${totalVotes} in total.`,
  },
  'vote.milestone': { color: COLORS.good, describe: ({ totalVotes }) => `The server has reached ${totalVotes} votes.` },
  'server.online': {
    color: COLORS.good,
    describe: ({ currentPlayers, maxPlayers, map }) =>
      `The server is online: ${currentPlayers} of ${maxPlayers} players${map ? ` on ${escapeMarkdown(map)}` : ''}.`,
  },
  'server.offline': { color: COLORS.bad, describe: () => 'The server is offline.' },
  'server.wiped': { color: COLORS.neutral, describe: () => 'The server was wiped.' },
  'auction.won': {
    color: COLORS.neutral,
    describe: ({ title }) => `The server has won the auction ${escapeMarkdown(title)}.`,
  },
  'webhook.test': { color: COLORS.neutral, describe: () => 'This is a test: your webhook works.' },
}

function embedOf(type: ServerEvent['type'], body: string, baseUrl: string) {
  const { timestamp, data } = EventBody.parse(JSON.parse(body))
  const { color, describe } = TEMPLATES[type]
  return {
    ...(data.serverName ? { title: escapeMarkdown(data.serverName).slice(0, MAX_TITLE) } : {}),
    ...(data.serverId ? { url: serverLink(baseUrl, data.serverId) } : {}),
    description: describe(data),
    color,
    timestamp,
  }
}
