// Clients of the live stream on real sockets, and a minimal server of one directory's streams with custom timing.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { FEED_TIMING } from '../../../src/features/directory/feed/feed.ts'
import type { HubTiming } from '../../../src/features/directory/feed/live-hub.ts'
import { createDirectory, type Directory } from '../../../src/features/directory/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import type { ApiError } from '../../../src/platform/http/errors.ts'
import { EventStream } from '../../../src/platform/http/reply-kinds.ts'
import { type TestDatabase, testLog } from '../../support/database.ts'

export interface StreamEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

export interface StreamClient {
  status: number
  headers: http.IncomingHttpHeaders
  events: StreamEvent[]
  comments: string[]
  /** The `Last-Event-ID` that a browser sends. */
  lastId: string
  /** The body when the response is not a stream. */
  body: string
  isClosed: boolean
  pause(): void
  resume(): void
  close(): void
}

/** Resolves once the headers have arrived; ends with the test. */
export function openStream(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      const client: StreamClient = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        events: [],
        comments: [],
        lastId: '',
        body: '',
        isClosed: false,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => request.destroy(),
      }
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (client.status !== 200) client.body = text
        else text = take(client, text)
      })
      for (const end of ['end', 'error', 'close'])
        response.on(end, () => {
          client.isClosed = true
        })
      resolve(client)
    })
    request.on('error', reject)
    onTestFinished(() => void request.destroy())
  })
}

/** Removes complete messages from the text, as the HTML standard parses them. @returns the rest */
function take(client: StreamClient, text: string): string {
  const messages = text.split('\n\n')
  const rest = messages.pop() ?? ''
  for (const message of messages) {
    const lines = message.split('\n')
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    for (const line of lines) if (line.startsWith(':')) client.comments.push(line.slice(1).trim())
    client.lastId = field('id') ?? client.lastId
    const data = field('data')
    if (data !== undefined)
      client.events.push({ id: client.lastId, event: field('event') ?? '', data: JSON.parse(data) })
  }
  return rest
}

export interface BareServer {
  url: string
  directory: Directory
  /** The maximum number of bytes buffered for one reply. */
  mostBuffered(): number
}

/** Serves only one directory's streams. Stops with the test. */
export async function startBareServer(
  { url, pool }: TestDatabase,
  timing: HubTiming,
  clock = Date.now,
): Promise<BareServer> {
  const directory = createDirectory(
    {
      settings: requireProcessSettings(
        readSettings({
          DATABASE_URL: url,
          APP_SECRET: 'a secret of the tests, 32 characters and more',
          STREAMS_PER_ADDRESS: '0',
        }),
      ),
      log: testLog,
      pool,
      clock,
    },
    { ...FEED_TIMING, pollMs: 50, coalesceMs: 10 },
    timing,
  )
  await directory.start()
  const operation = directory.operations.find(({ path }) => path === '/servers/stream')
  let most = 0
  const server = http.createServer((req, res) => {
    void (async () => {
      const input = {
        params: {},
        query: {},
        headers: { 'Last-Event-ID': req.headers['last-event-id'] },
        body: undefined,
        actor: undefined,
        clientKey: '',
        req,
        rawBody: Buffer.alloc(0),
      }
      try {
        const stream = await operation?.handle(input as never)
        if (!(stream instanceof EventStream)) throw new Error('the operation answered with no stream')
        stream.admit()
        res.writeHead(200, { 'content-type': 'text/event-stream' })
        res.flushHeaders()
        const write = res.write
        res.write = ((chunk: Buffer) => {
          const taken = write.call(res, chunk, 'utf8')
          most = Math.max(most, res.writableLength)
          return taken
        }) as typeof res.write
        stream.open(res as never)
      } catch (error) {
        const { status, code } = error as ApiError
        res.writeHead(status).end(code)
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await directory.stop()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    directory,
    mostBuffered: () => most,
  }
}
