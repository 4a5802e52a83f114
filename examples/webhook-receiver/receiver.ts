// A receiver of the directory's webhooks: verifies signatures, replies before it handles an event, and handles each
// event once.
import type { IncomingMessage, RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { Inbox } from './inbox.ts'

export interface Event {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

export interface Receiver {
  listener: RequestListener
  /** Handles waiting events, including those left by a crash. Those that fail are tried again later. */
  work(): Promise<void>
}

const MAX_BYTES = 64 * 1024
const RETRY_AFTER_MS = 10_000

/**
 * @param options.secrets `whsec_…`: both sign for 24 hours after a rotation, so add the new one and restart within
 * that time
 * @param options.handle runs again for an event if it failed or the process ended during it
 */
export function createReceiver(options: {
  secrets: string[]
  inbox: Inbox
  handle(event: Event, id: string): Promise<void>
}): Receiver {
  const { inbox, handle } = options
  const webhooks = options.secrets.map((secret) => new Webhook(secret))
  /** Handles events one at a time, and looks again for those that arrive in the meantime. */
  let working: Promise<void> | undefined
  let isDue = false

  /** Verifies the raw bytes, because re-encoded JSON may differ. Rejects old timestamps too. */
  function isSigned(body: Buffer, headers: Record<string, string>): boolean {
    return webhooks.some((webhook) => {
      try {
        webhook.verify(body, headers)
        return true
      } catch {
        return false
      }
    })
  }

  /** One that fails does not hold up the others. @returns whether one failed */
  async function handleWaiting(): Promise<boolean> {
    let hasFailed = false
    for (const { id, body } of await inbox.waiting())
      try {
        await handle(JSON.parse(body) as Event, id)
        await inbox.done(id)
      } catch (error) {
        hasFailed = true
        console.error(`event ${id} was not handled and will be tried again:`, error)
      }
    return hasFailed
  }

  async function handleUntilNoneIsDue(): Promise<void> {
    let hasFailed = false
    while (isDue) {
      isDue = false
      hasFailed = await handleWaiting().catch((error: unknown) => {
        console.error('waiting events can’t be read:', error)
        return true
      })
    }
    working = undefined
    if (hasFailed) setTimeout(work, RETRY_AFTER_MS).unref()
  }

  function work(): Promise<void> {
    isDue = true
    working ??= handleUntilNoneIsDue()
    return working
  }

  return {
    work,
    async listener(req, res) {
      const answer = (status: number) => res.writeHead(status).end()
      if (req.method !== 'POST') return void answer(405)
      try {
        const body = await read(req)
        if (!body) return void answer(413)
        if (!isSigned(body, req.headers as Record<string, string>)) return void answer(401)
        const isNew = await inbox.add(String(req.headers['webhook-id']), body.toString())
        // 2xx means "received", also for a repeated event: after any other status the event is sent again.
        answer(204)
        if (isNew) void work()
      } catch (error) {
        console.error('not stored, the sender will try again:', error)
        if (!res.headersSent) answer(500)
      }
    },
  }
}

/** @returns undefined if the body is larger than any event */
async function read(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
