// The queue board behind a password: pg-boss' dashboard, served without third-party content.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import pgBoss from 'pg-boss/package.json' with { type: 'json' }

export const USER = 'operator'

export interface Board {
  port: number
  stop(): Promise<void>
}

export interface BoardOptions {
  databaseUrl: string
  host: string
  port: number
  password: string
}

/** Delay after a wrong password, one at a time, which makes guessing useless. */
const PENALTY_MS = 500

/** The dashboard's pages contain inline scripts. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/**
 * Its own copy of pg-boss is of another release, whose schema has another version: it would refuse the database ("requires migrations") as soon
 * as a job is opened. It reads both alike; what it may write is another matter, so it only shows (`npm run queues` retries and redrives).
 */
async function loadDashboard() {
  process.env.PGBOSS_DASHBOARD_READ_ONLY = '1'
  registerHooks({
    // Kept: the board's pages are loaded with its first request.
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.includes('/@pg-boss/dashboard/build/server/') || !loaded.source) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8')
      return { ...loaded, source: source.replace(/(pgboss: \{ "schema": )\d+/, `$1${pgBoss.pgboss.schema}`) }
    },
  })
  return await import('@pg-boss/dashboard/handler')
}

/** Starts the board. @throws when the port is taken */
export async function startBoard({ databaseUrl, host, port, password }: BoardOptions): Promise<Board> {
  const { createDashboardHandler } = await loadDashboard()
  const dashboard = createDashboardHandler({
    databases: [{ url: databaseUrl, name: 'Server Directory', schema: 'pgboss' }],
  })
  const show = getRequestListener(async (request) => withoutOutside(await dashboard(request)), {
    overrideGlobalObjects: false,
  })
  const expected = digest(`${USER}:${password}`)
  let penalty = Promise.resolve()

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
    if (req.url === '/healthz') {
      res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end('{"status":"ok"}')
      return
    }
    if (req.url === '/favicon.ico') {
      res.writeHead(204).end() // the board has no favicon
      return
    }
    const given = credentialsOf(req)
    if (given !== undefined && timingSafeEqual(digest(given), expected)) {
      if (req.url !== STYLE_ADDRESS) return show(req, res)
      res.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(STYLE)
      return
    }
    if (given !== undefined) {
      penalty = penalty.then(() => sleep(PENALTY_MS))
      await penalty
    }
    res.writeHead(401, {
      'WWW-Authenticate': 'Basic realm="Server Directory queues", charset="UTF-8"',
      'Content-Type': 'text/plain; charset=utf-8',
    })
    res.end('Log in with the user and the password that the start of the board has printed.\n')
  }

  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await dashboard.close()
    },
  }
}

const STYLE_ADDRESS = '/board.css'
/** The table headings have too little contrast in light mode (WCAG 2.2, 1.4.3). */
const STYLE = 'thead, tbody span { --text-tertiary: var(--text-secondary); --border-strong: var(--text-secondary) }\n'
const OUTSIDE = /https:\/\/fonts\.(?:googleapis|gstatic)\.com[^"'`\s]*/g

/**
 * The pages, and the script that renders them again, load fonts from another site. A content security policy blocks the
 * fonts but not the connection (`preconnect`), so the links are replaced by our style, and system fonts are used.
 */
async function withoutOutside(response: Response): Promise<Response> {
  if (response.status !== 200 || !/html|javascript/.test(response.headers.get('content-type') ?? '')) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length') // it is that of the original text
  return new Response((await response.text()).replace(OUTSIDE, STYLE_ADDRESS), { headers })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function credentialsOf({ headers }: IncomingMessage): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}
