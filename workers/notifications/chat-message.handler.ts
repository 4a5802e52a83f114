// Sends one chat message: a user's pending notices, to the incoming webhook of their chat.
import type { Deps } from '../../src/deps.ts'
import { type ChatMessage, writeChatMessage } from '../../src/features/notifications/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { escapeMarkdown } from '../../src/platform/text.ts'
import { createSenderFor, type Sender } from '../webhooks/send.ts'

/** Discord's maximum length of a message's content. */
const MAX_CHARACTERS = 2_000
/** Maximum length of the links that end alerts. */
const MAX_END_CHARACTERS = 800

/**
 * Sends each message at least once: one whose acceptance was not received is sent again. Throws if the message is not
 * accepted, so that it is retried.
 */
export function createChatMessageHandler(
  { pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>,
  sender: Sender = createSenderFor(settings),
): (request: { userId: string }, signal: AbortSignal) => Promise<void> {
  const secretCipher = createSecretCipher(settings)
  return async ({ userId }, signal) => {
    const message = await writeChatMessage({ pool, settings, secretCipher }, userId)
    if (!message) return // nothing is pending now
    signal.throwIfAborted() // another worker has taken the job over
    const { status, error } = await sender.post({ url: message.url, headers: {}, body: bodyOf(message) })
    if (status === 404 || status === 410) {
      if (!(await message.gone())) throw new Error('the chat webhook was changed while the former one was used')
      log.info({ userId, status }, 'chat webhook no longer exists: deleted')
      return
    }
    // The URL is a secret, so neither it nor the response text goes into the log or the queue.
    if (status === undefined || status < 200 || status >= 300)
      throw new Error(`chat message not accepted: ${status ?? error}`)
    await message.sent()
  }
}

/** Names are other users' text: they must not mention users or format the message. */
function bodyOf({ lines, alertLines }: Pick<ChatMessage, 'lines' | 'alertLines'>): string {
  const text = lines
    .map(({ text, link }) => [escapeMarkdown(text), ...(link === undefined ? [] : [`<${link}>`])].join(' '))
    .join('\n')
  const ends = alertLines.length ? cut(`\n\nTo end an alert:\n${alertLines.join('\n')}`, MAX_END_CHARACTERS) : ''
  return JSON.stringify({ content: cut(text, MAX_CHARACTERS - ends.length) + ends, allowed_mentions: { parse: [] } })
}

/** Keeps as many whole lines as fit. */
function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const kept = text.slice(0, maxCharacters - 2)
  return `${kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0)) || kept}\n…`
}
