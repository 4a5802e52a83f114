// Votifier protocol 1: a vote encrypted with the public key of the game server's plugin, which does not answer.
// Deprecated, but still installed on many servers.
import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto'
import * as z from 'zod'
import { text } from '../../../platform/text.ts'
import { type Conversation, ConversationError, defineKind } from './kind.ts'
import { addressOf, converse, readGreeting, readUntil, VOTIFIER_ADDRESS, voteOf, votifier } from './votifier.ts'

const KEY_BITS = 2_048
/** What PKCS#1 v1.5 leaves of the key's 256 bytes. */
const MAX_BLOCK = KEY_BITS / 8 - 11
const MAX_KEY_TEXT = 2_000

/** The base64 text alone, without line breaks and the lines that PEM has around it. */
const PublicKey = text()
  .max(MAX_KEY_TEXT, `must have at most ${MAX_KEY_TEXT} characters`)
  .transform((input, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input })
      return z.NEVER
    }
    const base64 = input.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, '').replace(/\s+/g, '')
    const key = readKey(base64)
    if (!key) return refuse('must be the text of the plugin’s public.key: a public key in base64 (X.509)')
    if (key.asymmetricKeyType !== 'rsa') return refuse('must be an RSA key')
    if (key.asymmetricKeyDetails?.modulusLength !== KEY_BITS) return refuse(`must be an RSA key of ${KEY_BITS} bits`)
    return base64
  })

function readKey(base64: string): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

export const votifier1 = defineKind({
  ...votifier,
  fields: {
    ...VOTIFIER_ADDRESS,
    publicKey: PublicKey.describe('The text of the plugin’s `public.key`: RSA, 2048 bits, base64 (X.509)'),
  },
  secret: 'publicKey',
  prepare(delivery, { url, secrets: [publicKey = ''] }, { baseUrl }) {
    const vote = voteOf(delivery, baseUrl)
    if ('refusal' in vote) return vote
    const { username, address, timestamp } = vote
    const block = Buffer.from(`VOTE\n${vote.serviceName}\n${username}\n${address}\n${timestamp}\n`)
    if (block.length > MAX_BLOCK) return { refusal: 'the player name is too long for Votifier 1' }
    const key = readKey(publicKey)
    if (!key) return { refusal: 'the public key can’t be read' }
    return { ...addressOf(url), block: publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, block) }
  },
  send: ({ host, port, block }, transport, signal) =>
    converse({ host, port, signal }, transport, (conversation) => sendBlock(conversation, block)),
})

/** Both `VOTIFIER 1.9` and `VOTIFIER 2 …` take a block of protocol 1. */
async function sendBlock(conversation: Conversation, block: Buffer): Promise<void> {
  await readGreeting(conversation)
  conversation.write(block)
  const answer = await readUntil(conversation, () => false, {
    timeout: 'the vote was sent, but the game server did not close the connection in time',
    closed: 'the game server dropped the connection',
    'too long': 'the game server did not close the connection',
  })
  // A receiver that knows protocol 2 too may say why it refuses a vote; others say nothing, whatever the key.
  if (/"status"\s*:\s*"error"/.test(answer))
    throw new ConversationError(
      'closed',
      /decrypt|key/i.test(answer) ? 'the public key does not match' : 'the game server refused the vote',
    )
}
