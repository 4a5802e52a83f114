// Questions and answers between a process and its primary, over the channel that Node opens between them.

/** The end of a channel: this process, or a child process. */
interface Channel {
  readonly connected: boolean
  send?(message: unknown, handle: undefined, options: undefined, done: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

interface Answer {
  value?: unknown
  failed?: true
}
type Message = { question: number; name: string; value: unknown } | (Answer & { answer: number })

/** Whether a message is a question or an answer. */
export const isPeerMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && ('question' in message || 'answer' in message)

export interface Peer {
  /**
   * @throws Error if the other process has ended, can't answer, or has not answered within
   * `timeoutMs`, a second by default
   */
  ask<Reply>(name: string, value?: unknown, timeoutMs?: number): Promise<Reply>
  readonly answers: PeerAnswers
}

/** What a process answers, by the question's name. `asking` is the peer that asks. */
export type PeerAnswers = Record<string, (value: never, asking: Peer) => unknown>

const TIMEOUT_MS = 1_000
/**
 * How long one process may take for its metrics, some of which are counted in the database, and the
 * primary for those of all.
 */
export const METRICS_TIMEOUT_MS = { process: 2_000, primary: 3_000 }

export function connectPeer(channel: Channel, answers: PeerAnswers): Peer {
  const waiting = new Map<number, (answer: Answer) => void>()
  let questions = 0

  // If the channel closes during this, its `disconnect` listener handles it.
  const send = (message: Message) => void channel.send?.(message, undefined, undefined, () => {})
  channel.on('message', (message) => {
    if (!isPeerMessage(message)) return
    if ('answer' in message) waiting.get(message.answer)?.(message)
    else
      Promise.try(answers[message.name] ?? refuse, message.value as never, peer).then(
        (value) => send({ answer: message.question, value }),
        () => send({ answer: message.question, failed: true }),
      )
  })
  channel.once('disconnect', () => {
    for (const answer of waiting.values()) answer({ failed: true })
  })
  const peer: Peer = {
    answers,
    ask<Reply>(name: string, value?: unknown, timeoutMs = TIMEOUT_MS) {
      return new Promise<Reply>((resolve, reject) => {
        const question = ++questions
        const complete = (answer: Answer) => {
          clearTimeout(timer)
          waiting.delete(question)
          if (answer.failed) reject(new Error(`the other process did not answer: ${name}`))
          else resolve(answer.value as Reply)
        }
        const timer = setTimeout(complete, timeoutMs, { failed: true })
        waiting.set(question, complete)
        if (channel.connected) send({ question, name, value })
        else complete({ failed: true })
      })
    },
  }
  return peer
}

function refuse(): never {
  throw new Error('unknown question')
}
