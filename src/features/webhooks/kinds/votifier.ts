// Shared by both Votifier protocols: the fields, the greeting, and which votes can be sent. A game server's plugin
// listens, and this service connects to it for each vote.
import { isIPv6 } from 'node:net'
import * as z from 'zod'
import { Port } from '../../../platform/http/port.ts'
import { findUrlProblem } from '../../../platform/target-url.ts'
import { hasNoInvisibleChars, text } from '../../../platform/text.ts'
import {
  type Answer,
  type Conversation,
  ConversationError,
  type OutgoingDelivery,
  type TargetRules,
  type Transport,
  type Verdict,
} from './kind.ts'

const DEFAULT_PORT = 8192
const MAX_HOST = 255
/** Maximum length of `serviceName`, so that a vote fits into protocol 1's block. */
const MAX_SERVICE_NAME = 100

/** Game servers get the name of the voter, not the address. */
const VOTER_ADDRESS = '0.0.0.0'
/** The player of a test. */
const TEST_USERNAME = 'VoteTest'

const Host = text()
  .trim()
  .transform((input, context) => {
    const refuse = () => {
      context.issues.push({ code: 'custom', message: 'must be a host name or an IP address', input })
      return z.NEVER
    }
    const host = isIPv6(input) ? `[${input}]` : input
    if (input.length > MAX_HOST || !hasNoInvisibleChars(input)) return refuse()
    if (host === input && !/^[^\s"#%/:<>?@[\\\]^`{|}]+$/.test(input)) return refuse()
    // The parser of web addresses normalizes names to punycode and any notation of IPv4 to dotted quads.
    return URL.parse(`http://${host}/`)?.hostname ?? refuse()
  })

/** What owners copy from the plugin's configuration. */
export const VOTIFIER_ADDRESS = {
  host: Host.describe('Host name or public address of the game server'),
  port: z
    .int('must be a whole number from 1 to 65535')
    .min(1, 'must be a whole number from 1 to 65535')
    .max(65_535, 'must be a whole number from 1 to 65535')
    .optional()
    .describe(`Port of the plugin; ${DEFAULT_PORT} unless given`),
}

/** The parts of a kind that do not depend on the protocol. */
export const votifier = {
  address: ['host', 'port'] as const,
  events: ['vote.created'] as const,
  isOrdered: true as const,
  shown: {
    host: z.string().describe('Empty if it can’t be decrypted and must be set again'),
    port: Port.nullable(),
  },
  refuse({ host }: { host?: string | undefined }, { allowPrivate }: TargetRules) {
    const message =
      host === undefined ? undefined : findUrlProblem(`https://${host}/`, { requireHttps: false, allowPrivate })
    return message === undefined ? undefined : { path: 'body.host', message }
  },
  /** @param fields as entered, or as `show` returns them: then IPv6 has no brackets */
  urlOf: ({ host, port = DEFAULT_PORT }: { host: string; port?: number | undefined }) =>
    `votifier://${isIPv6(host) ? `[${host}]` : host}:${port}`,
  show(url: string | undefined) {
    return url === undefined ? { host: '', port: null } : addressOf(url)
  },
  classify({ error, isRejection }: Answer): Verdict {
    if (error === undefined) return { outcome: 'delivered' }
    return { outcome: 'failed', ...(isRejection && { isRetriedAlone: true }) }
  },
}

/** @param url from `urlOf` */
export function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

export interface VotifierVote {
  serviceName: string
  username: string
  address: string
  /** Epoch milliseconds. */
  timestamp: number
  /** Days in a row with a vote of this player; undefined in a test. */
  streak: number | undefined
}

/** A test has no voter. */
const Event = z.object({
  timestamp: z.iso.datetime(),
  data: z.object({ username: z.string().default(TEST_USERNAME), streak: z.int().optional() }),
})

/** @returns why the delivery can't be sent, if so */
export function voteOf({ body }: OutgoingDelivery, baseUrl: string): VotifierVote | { refusal: string } {
  const { timestamp, data } = Event.parse(JSON.parse(body))
  if (!data.username) return { refusal: 'the voter gave no player name' }
  return {
    serviceName: new URL(baseUrl).hostname.slice(0, MAX_SERVICE_NAME),
    username: data.username,
    address: VOTER_ADDRESS,
    timestamp: Date.parse(timestamp),
    streak: data.streak,
  }
}

/** One line. */
const GREETING = /^VOTIFIER (1|2)(?:\.\d+)*(?: ([\x21-\x7e]{1,200}))?\r?\n/
const QUOTED = 40

/** @throws ConversationError in the owner's words */
export async function readGreeting(
  conversation: Conversation,
): Promise<{ version: 1 | 2; challenge: string | undefined }> {
  const greeting = await readUntil(conversation, (line) => line.includes('\n'), {
    timeout: 'connected, but no Votifier greeting came: is this the port of the Votifier plugin?',
    closed: 'the game server closed the connection before a Votifier greeting',
    'too long': 'the greeting is not Votifier’s: it does not end',
  })
  const [, version, challenge] = GREETING.exec(greeting) ?? []
  if (!version) {
    const quoted = greeting
      .slice(0, QUOTED)
      .replace(/[^\x20-\x7e]+/g, ' ')
      .trim()
    if (!quoted)
      throw new ConversationError('closed', 'the game server closed the connection before a Votifier greeting')
    throw new ConversationError('closed', `the greeting is not Votifier’s: “${quoted}”`)
  }
  return { version: version === '1' ? 1 : 2, challenge }
}

/** `conversation.read` with the owner's words for each way to fail. */
export async function readUntil(
  conversation: Conversation,
  isComplete: (text: string) => boolean,
  words: Record<'timeout' | 'closed' | 'too long', string>,
): Promise<string> {
  try {
    return await conversation.read(isComplete)
  } catch (error) {
    if (error instanceof ConversationError && error.reason !== 'changed' && error.reason !== 'rejected')
      throw new ConversationError(error.reason, words[error.reason])
    throw error
  }
}

const DOWN: Record<string, string> = {
  'connection refused':
    'the game server refused the connection: is it running, and is this the port of the Votifier plugin?',
  'connection closed': 'the game server closed the connection',
  unreachable: 'the game server is unreachable',
  timeout: 'the game server did not accept the connection in time: is it running, and does its firewall let us in?',
}

/** `transport.converse` with the transport's reasons in the owner's words. */
export async function converse(
  target: { host: string; port: number; signal: AbortSignal },
  transport: Transport,
  talk: (conversation: Conversation) => Promise<void>,
): Promise<Answer> {
  const answer = await transport.converse(target, talk)
  return answer.error === undefined ? answer : { ...answer, error: DOWN[answer.error] ?? answer.error }
}
