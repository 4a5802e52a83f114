// Downloads a picture that an owner named: from public addresses only, bounded in time and bytes.
import { Agent, request } from 'undici'
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../src/features/faces/index.ts'
import { createGuardedConnections, type GuardOptions } from '../webhooks/guarded-connection.ts'
import { reasonFor } from '../webhooks/reasons.ts'

/** Name look-up, connection, handshake, request and picture in total. */
const TIMEOUT_MS = 10_000
const MAX_HEADER_BYTES = 8_192
const USER_AGENT = 'server-directory-pictures/1'

/** @returns the bytes, whatever they are, or why there are none */
export type Download = (url: string, signal: AbortSignal) => Promise<Buffer | { refused: string }>

export function createDownload({
  timeoutMs = TIMEOUT_MS,
  ...guarded
}: GuardOptions & { timeoutMs?: number }): Download {
  return async (url, signal) => {
    const { connect } = createGuardedConnections(guarded, timeoutMs)
    // A plain Agent ignores proxy settings of the environment, and follows no redirects.
    const agent = new Agent({ connect, allowH2: false, maxHeaderSize: MAX_HEADER_BYTES })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        headers: { 'user-agent': USER_AGENT, accept: IMAGE_TYPES.join(', ') },
        signal: AbortSignal.any([signal, timeout]),
      })
      body.on('error', () => undefined) // of a body that is not read to its end
      if (statusCode >= 300 && statusCode < 400) return { refused: 'the address redirects to another one' }
      if (statusCode !== 200) return { refused: `the answer was ${statusCode}` }
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > MAX_IMAGE_BYTES) return { refused: 'has more than 5 MB' }
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } catch (error) {
      signal.throwIfAborted()
      return { refused: timeout.aborted ? 'timeout' : reasonFor(error as Error) }
    } finally {
      await agent.destroy()
    }
  }
}
