// The queue board behind a password: pg-boss' own dashboard, served from here and from nowhere else.
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

/** A wrong password costs this long, and one at a time: guessing gets nowhere. */
const PENALTY_MS = 500

/** Its pages bring inline scripts along. */
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
      res.writeHead(204).end() // it has none
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
    res.end('A password is needed.\n')
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
/** The headings of its tables are too pale to be read in light (WCAG 2.2, 1.4.3). */
const STYLE = 'thead { --text-tertiary: var(--text-secondary) }\n'
const OUTSIDE = /https:\/\/fonts\.(?:googleapis|gstatic)\.com[^"'`\s]*/g

/**
 * Its pages and the script that draws them again ask for fonts from outside. A policy would forbid the fonts, but not that a
 * browser connects there beforehand (`preconnect`); so both ask for our style instead, and have the system's fonts.
 */
async function withoutOutside(response: Response): Promise<Response> {
  if (response.status !== 200 || !/html|javascript/.test(response.headers.get('content-type') ?? '')) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length') // of the text as it was
  return new Response((await response.text()).replace(OUTSIDE, STYLE_ADDRESS), { headers })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function credentialsOf({ headers }: IncomingMessage): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}
