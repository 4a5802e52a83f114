// Conversations over TCP with owners' game servers: bounded time and bytes, to allowed addresses only.
import net, { type Socket } from 'node:net'
import { type Answer, type Conversation, ConversationError, type Transport } from '../../src/features/webhooks/index.ts'
import { createAddressGuard, type GuardOptions } from './guarded-connection.ts'
import { isAddressError, reasonFor, textOf } from './reasons.ts'

const MAX_BYTES = 4_096
const KEPT_BYTES = 1_024

/**
 * @param timeoutMs of the name's look-up, the connection and the conversation in total
 * @param closing aborted when running conversations must end
 */
export function createConverse(options: GuardOptions, timeoutMs: number, closing: AbortSignal): Transport['converse'] {
  const guard = createAddressGuard(options)

  return async ({ host, port, signal }, talk): Promise<Answer> => {
    const startedAt = performance.now()
    const end = AbortSignal.any([signal, closing])
    const socket = new net.Socket()
    const { conversation, fail, received } = createConversation(socket)
    const changed = () => fail('changed')
    const timer = setTimeout(fail, timeoutMs, 'timeout')
    end.addEventListener('abort', changed)
    let error: string | undefined
    let isRejection = false
    let isConnectable = true
    try {
      if (end.aborted) fail('changed')
      const open = new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject)
        socket.once('close', () => reject(new ConversationError('timeout')))
      })
      open.catch(() => undefined) // not awaited if the address is refused
      if (net.isIP(host)) guard.requireAllowed([host]) // net looks up no addresses
      socket.setNoDelay(true).connect({ host, port, lookup: guard.lookup })
      await open
      await talk(conversation)
    } catch (cause) {
      error = cause instanceof ConversationError ? cause.inWords : reasonFor(cause as Error)
      isRejection = cause instanceof ConversationError && cause.reason === 'rejected'
      isConnectable = !isAddressError(cause as Error) // as in send.ts
    } finally {
      clearTimeout(timer)
      end.removeEventListener('abort', changed)
      socket.destroy()
    }
    return {
      ...(error === undefined ? {} : { error: end.aborted ? 'the endpoint was changed' : error }),
      ...(isRejection && { isRejection }),
      latencyMs: isConnectable ? Math.round(performance.now() - startedAt) : 0,
      response: textOf([received().subarray(0, KEPT_BYTES)]),
    }
  }
}

interface PendingRead extends PromiseWithResolvers<string> {
  isComplete(text: string): boolean
}

function createConversation(socket: Socket) {
  let bytes = Buffer.alloc(0)
  let consumed = 0
  let hasEnded = false
  let failure: ConversationError | undefined
  let pendingRead: PendingRead | undefined

  /** Resolves or rejects the pending read, if what has happened to the connection decides it. */
  function settleRead(): void {
    if (!pendingRead) return
    const { isComplete, resolve, reject } = pendingRead
    const text = textOf([bytes.subarray(consumed)])
    const isWhole = isComplete(text)
    if (!isWhole && !failure && !hasEnded) return
    pendingRead = undefined
    if (!isWhole && failure) {
      reject(failure)
      return
    }
    consumed = bytes.length
    resolve(text)
  }

  function fail(reason: ConversationError['reason']): void {
    failure ??= new ConversationError(reason)
    settleRead()
    socket.destroy()
  }
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk.subarray(0, MAX_BYTES - bytes.length)])
    if (bytes.length === MAX_BYTES) fail('too long')
    settleRead()
  })
  socket.on('error', () => fail('closed'))
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      hasEnded = true
      settleRead()
    })

  const conversation: Conversation = {
    read(isComplete) {
      pendingRead = { isComplete, ...Promise.withResolvers<string>() }
      const { promise } = pendingRead
      settleRead()
      return promise
    },
    write(data) {
      if (!failure) socket.write(data)
    },
  }
  return { conversation, fail, received: () => bytes }
}
