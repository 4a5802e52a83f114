// Votifier protocol 2: a vote signed with the token of the game server's plugin, which says whether it took it.
import { createHmac } from 'node:crypto'
import * as z from 'zod'
import { line } from '../../../platform/text.ts'
import { type Conversation, ConversationError, defineKind } from './kind.ts'
import {
  addressOf,
  converse,
  readGreeting,
  readUntil,
  VOTIFIER_ADDRESS,
  type VotifierVote,
  voteOf,
  votifier,
} from './votifier.ts'

const MAGIC = 0x733a
/** Receivers refuse longer ones; Java counts UTF-16 units, as JavaScript does. */
const MAX_USERNAME = 16

export const votifier2 = defineKind({
  ...votifier,
  fields: {
    ...VOTIFIER_ADDRESS,
    token: line(1, 200).describe('The token in the plugin’s configuration; never returned'),
  },
  secret: 'token',
  prepare(delivery, { url, secrets: [token = ''] }, { baseUrl }) {
    const vote = voteOf(delivery, baseUrl)
    if ('refusal' in vote) return vote
    if (vote.username.length > MAX_USERNAME)
      return { refusal: `the player name has more than ${MAX_USERNAME} characters, which Votifier refuses` }
    return { ...addressOf(url), token, vote }
  },
  send: ({ host, port, token, vote }, transport, signal) =>
    converse({ host, port, signal }, transport, (conversation) => sendVote(conversation, token, vote)),
})

async function sendVote(conversation: Conversation, token: string, vote: VotifierVote): Promise<void> {
  const { version, challenge } = await readGreeting(conversation)
  if (version !== 2 || challenge === undefined)
    throw new ConversationError(
      'closed',
      'the game server speaks Votifier 1 only: use an endpoint of the kind votifier1',
    )
  conversation.write(messageOf(token, { ...vote, challenge }))
  const text = await readUntil(conversation, (received) => parseAnswer(received) !== undefined, {
    timeout: 'the vote was sent, but the game server did not answer in time',
    closed: 'the game server closed the connection without an answer',
    'too long': 'the answer is not Votifier’s: it does not end',
  })
  if (!text.trim()) throw new ConversationError('closed', 'the game server closed the connection without an answer')
  const answer = parseAnswer(text)
  if (!answer) throw new ConversationError('closed', 'the answer is not Votifier’s')
  if (answer.status === 'ok') return
  const reason = [answer.error, answer.errorMessage, answer.cause].find(Boolean) ?? 'no reason given'
  if (/signature|token/i.test(reason)) throw new ConversationError('closed', 'the token does not match')
  throw new ConversationError('rejected', `the game server refused the vote: ${reason.slice(0, 200)}`)
}

/**
 * Lengths count bytes. Receivers read the fields that they know; NuVotifier hands `additionalData`, base64, to the
 * plugins that listen for votes (`Vote.getAdditionalData`).
 */
function messageOf(token: string, { streak, ...vote }: VotifierVote & { challenge: string }): Buffer {
  const additional =
    streak === undefined ? {} : { additionalData: Buffer.from(JSON.stringify({ streak })).toString('base64') }
  const payload = JSON.stringify({ ...vote, ...additional })
  const signature = createHmac('sha256', token).update(payload).digest('base64')
  const message = Buffer.from(JSON.stringify({ payload, signature }))
  const head = Buffer.alloc(4)
  head.writeUInt16BE(MAGIC, 0)
  head.writeUInt16BE(message.length, 2)
  return Buffer.concat([head, message])
}

const words = z.string().optional().catch(undefined)
const VotifierAnswer = z.object({ status: z.string(), cause: words, error: words, errorMessage: words })

/** @returns undefined if the text is no answer, or not yet a whole one */
function parseAnswer(text: string): z.output<typeof VotifierAnswer> | undefined {
  try {
    return VotifierAnswer.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
