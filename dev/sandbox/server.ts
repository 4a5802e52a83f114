// The payment sandbox: a simulated provider that implements the calls the product makes, with pages for people.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Actions, createActions } from './actions.ts'
import { ApiFailure, createApi } from './api.ts'
import { createDelivery } from './delivery.ts'
import { type Fields, parseForm, textAt } from './form.ts'
import { lostPage, overviewPage, payPage, portalPage } from './pages.ts'
import { newId, openStore, type Price, type State, type StoredEvent } from './state.ts'

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
  stop(): Promise<void>
}

const CURRENCY = 'usd'
const MAX_BODY_BYTES = 256 * 1024
const TICK_MS = 5_000
/** How long the redirect from the pay page waits until the product has acknowledged the events. */
const HEARD_WITHIN_MS = 2_000
const ANSWERS_KEPT_SECONDS = 24 * 3600

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { secretKey, webhookSecret, webhookUrl, prices, now = Date.now } = options
  const store = openStore(options.file)
  const { state } = store
  const delivery = webhookUrl ? createDelivery({ store, url: webhookUrl, secret: webhookSecret }) : undefined
  const emit = (event: StoredEvent) => delivery?.deliver(event)
  const actions = createActions({ store, prices, currency: CURRENCY, emit, now })
  let url = ''
  const answerApi = createApi({ store, actions, currency: CURRENCY, origin: () => url, now })
  const seconds = () => Math.floor(now() / 1000)

  /** One call of the API. The same idempotency key gets the same reply and changes nothing again. */
  function api(req: IncomingMessage, path: string, fields: Fields): { status: number; body: string } {
    if (req.headers.authorization !== `Bearer ${secretKey}`)
      return failure(new ApiFailure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }))
    const method = req.method ?? ''
    const key = method === 'POST' ? req.headers['idempotency-key'] : undefined
    const asked = JSON.stringify([path, fields])
    const before = typeof key === 'string' && Object.hasOwn(state.answers, key) ? state.answers[key] : undefined
    if (before && before.asked !== asked)
      return failure(
        new ApiFailure(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        }),
      )
    if (before) return before
    let answer: { status: number; body: string }
    try {
      const parts = path.split('/').slice(2).map(decodeURIComponent)
      answer = { status: 200, body: JSON.stringify(answerApi({ method, path: parts, fields })) }
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return failure(error) // nothing was changed, so the key can be used again
    }
    if (typeof key === 'string') state.answers[key] = { ...answer, asked, created: seconds() }
    if (method !== 'GET') store.save()
    return answer
  }

  function pay(id: string, fields: Fields): Promise<Page> | Page {
    const session = Object.hasOwn(state.sessions, id) ? state.sessions[id] : undefined
    if (!session) return lost
    switch (textAt(fields, 'do')) {
      case 'pay': {
        const events = actions.pay(session)
        return untilHeard(events).then(() => ({ to: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) }))
      }
      case 'fail':
        actions.fail(session)
        return { html: payPage(session, 'Your card was declined. Nothing was paid; try again.') }
      case 'cancel':
        return { to: session.cancel_url }
      default:
        return { html: payPage(session) }
    }
  }

  async function untilHeard(events: StoredEvent[]): Promise<void> {
    const deadline = Date.now() + HEARD_WITHIN_MS
    while (delivery && events.some(({ acknowledged }) => !acknowledged) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }

  function portal(id: string, fields: Fields): Page {
    const session = Object.hasOwn(state.portals, id) ? state.portals[id] : undefined
    const customer = session && state.customers[session.customer]
    if (!session || !customer) return lost
    const subscriptions = Object.values(state.subscriptions).filter((of) => of.customer === customer.id)
    const subscription = subscriptions.find((of) => of.id === textAt(fields, 'subscription'))
    const wish = textAt(fields, 'do')
    if (subscription && wish === 'cancel') actions.cancelAtPeriodEnd(subscription, true)
    if (subscription && wish === 'resume') actions.cancelAtPeriodEnd(subscription, false)
    if (subscription && wish === 'change') actions.changePrice(subscription, textAt(fields, 'price') ?? '')
    if (wish && session.change) return { to: session.return_url }
    return wish
      ? { to: `/portal/${id}` }
      : { html: portalPage(session, { customer, subscriptions, prices, currency: CURRENCY }) }
  }

  function overview(fields: Fields): Page {
    const id = textAt(fields, 'id') ?? ''
    const [subscription, charge, session] = [state.subscriptions[id], state.charges[id], state.sessions[id]]
    const wish = textAt(fields, 'do')
    if (subscription && wish === 'renew') actions.renew(subscription)
    if (subscription && wish === 'fail-renewal') actions.failRenewal(subscription)
    if (subscription && wish === 'end') actions.cancelNow(subscription)
    if (charge && wish === 'refund') actions.refund(charge)
    if (charge && wish === 'dispute') actions.dispute(charge)
    if (charge && (wish === 'win' || wish === 'lose')) actions.closeDispute(charge, wish === 'win' ? 'won' : 'lost')
    if (session && wish === 'expire') actions.expire(session)
    return wish ? { to: '/' } : { html: overviewPage(state, prices) }
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '/', 'http://sandbox')
    const body = await readText(req)
    const fields = parseForm(body || search.slice(1))
    if (pathname.startsWith('/v1/')) {
      const { status, body: text } = api(req, pathname, fields)
      res.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') }).end(text)
      return
    }
    if (!isOwnPage(req)) {
      res.writeHead(403, HTML_HEADERS).end(lostPage())
      return
    }
    const wishes = req.method === 'POST' ? fields : {}
    const [, kind, id = ''] = pathname.split('/')
    const page = await (pathname === '/'
      ? overview(wishes)
      : kind === 'pay'
        ? pay(id, wishes)
        : kind === 'portal'
          ? portal(id, wishes)
          : lost)
    if ('to' in page) res.writeHead(303, { location: page.to, 'cache-control': 'no-store' }).end()
    else res.writeHead(page === lost ? 404 : 200, HTML_HEADERS).end(page.html)
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
  for (const [key, { created }] of Object.entries(state.answers))
    if (created < seconds() - ANSWERS_KEPT_SECONDS) delete state.answers[key]
  for (const session of Object.values(state.sessions))
    if (session.status === 'open') session.url = `${url}/pay/${session.id}`
  const ticking = setInterval(actions.tick, TICK_MS)

  return {
    url,
    state,
    actions,
    async stop() {
      clearInterval(ticking)
      delivery?.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

type Page = { html: string } | { to: string }
const lost: Page = { html: lostPage() }

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

function failure({ status, error }: ApiFailure): { status: number; body: string } {
  return { status, body: JSON.stringify({ error }) }
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
