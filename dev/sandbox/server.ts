// The payment sandbox: a simulated provider that implements the calls the product makes, with pages for people.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Actions, createActions } from './actions.ts'
import { type CallFilter, createApi } from './api.ts'
import { createButtons, NOT_FOUND } from './buttons.ts'
import { createDelivery } from './delivery.ts'
import { parseForm } from './form.ts'
import { createLedger } from './ledger.ts'
import { notFoundPage } from './pages.ts'
import { newId, openStore, type Price, type State } from './state.ts'
import { languageOf } from './texts.ts'

export interface SandboxOptions {
  port: number
  secretKey: string
  webhookSecret: string
  prices: readonly Price[]
  /** URL that events are sent to; without it they are only stored. */
  webhookUrl?: string
  /** File of the state; without it the state is lost when the process ends. */
  file?: string
  now?: () => number
}

export interface Sandbox {
  url: string
  state: State
  actions: Actions
  /**
   * Answers chosen calls with 500 from now on. As at the provider, their idempotency keys keep that answer.
   * @param options.takesEffect whether the calls do their work all the same
   * @returns a function that ends this
   */
  failCalls(chosen: CallFilter, options?: { takesEffect: boolean }): () => void
  stop(): Promise<void>
}

const CURRENCY = 'usd'
const MAX_BODY_BYTES = 256 * 1024
const TICK_MS = 5_000

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { secretKey, webhookSecret, webhookUrl, prices, now = Date.now } = options
  const store = openStore(options.file)
  const { state } = store
  const delivery = webhookUrl ? createDelivery({ store, url: webhookUrl, secret: webhookSecret }) : undefined
  const ledger = createLedger({ store, prices, currency: CURRENCY, emit: (event) => delivery?.deliver(event), now })
  const actions = createActions(ledger)
  let url = ''
  const api = createApi({ store, ledger, actions, secretKey, pageUrl: (kind, id) => `${url}/${kind}/${id}` })
  const press = createButtons({ ledger, actions, prices, isDelivering: delivery !== undefined })

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '/', 'http://sandbox')
    const body = await readText(req)
    const fields = parseForm(body || search.slice(1))
    if (pathname.startsWith('/v1/')) {
      const { status, body: text } = api.reply(req, pathname, fields)
      res.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') }).end(text)
      return
    }
    if (!isOwnPage(req)) {
      res.writeHead(403, HTML_HEADERS).end(notFoundPage())
      return
    }
    const page = await press(pathname, req.method === 'POST' ? fields : {}, languageOf(req.headers['accept-language']))
    if ('to' in page) res.writeHead(303, { location: page.to, 'cache-control': 'no-store' }).end()
    else res.writeHead(page === NOT_FOUND ? 404 : 200, HTML_HEADERS).end(page.html)
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((error: Error) => {
      res.writeHead(500, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ error: { type: 'api_error', message: error.message } }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api.forgetOldReplies()
  for (const session of Object.values(state.sessions))
    if (session.status === 'open') session.url = `${url}/pay/${session.id}`
  const ticking = setInterval(actions.tick, TICK_MS)

  return {
    url,
    state,
    actions,
    failCalls: api.failCalls,
    async stop() {
      clearInterval(ticking)
      delivery?.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
}

/** Pages of other sites must not press these buttons, neither with a form nor through a DNS name of their own. */
function isOwnPage(req: IncomingMessage): boolean {
  const host = req.headers.host?.replace(/:\d+$/, '')
  if (host !== '127.0.0.1' && host !== 'localhost') return false
  return req.method !== 'POST' || req.headers['sec-fetch-site'] !== 'cross-site'
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('the request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
