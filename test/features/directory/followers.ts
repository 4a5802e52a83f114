// API processes' directories over one database, read on request, and clients that follow them by the change feed.

import { FEED_TIMING } from '../../../src/features/directory/feed/feed.ts'
import { createDirectory, type Directory } from '../../../src/features/directory/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { RenderedJson } from '../../../src/platform/http/reply-kinds.ts'
import { type TestDatabase, testLog } from '../../support/database.ts'

export interface Item {
  id: string
  rank?: number
  score?: number
}
export interface Page {
  servers: Item[]
  removed: string[]
  cursor: string
  hasMore: boolean
}

/** Reads only on refresh. */
export async function startDirectory(
  { url, pool }: TestDatabase,
  options: { clock?: () => number; settings?: Record<string, string> } = {},
): Promise<Directory> {
  const settings = {
    DATABASE_URL: url,
    APP_SECRET: 'a secret of the tests, 32 characters and more',
    ...options.settings,
  }
  const directory = createDirectory(
    {
      settings: requireProcessSettings(readSettings(settings)),
      log: testLog,
      pool,
      clock: options.clock ?? Date.now,
    },
    { ...FEED_TIMING, pollMs: 1e6, coalesceMs: 1e6 },
  )
  await directory.start()
  return directory
}

/** The process' current answer. */
export async function ask(directory: Directory, path: string, query: object = {}, params: object = {}) {
  const operation = directory.operations.find((declared) => declared.path === path)
  const rendered = await operation?.handle({
    params: { ...params },
    query: { ...query },
    headers: {},
    body: query,
    actor: undefined as never,
    clientKey: '',
    req: { headers: {} } as never,
    rawBody: Buffer.alloc(0),
  })
  if (!(rendered instanceof RenderedJson)) throw new Error(`${path} is not rendered`)
  return JSON.parse(rendered.bytes.toString())
}

export const changes = (directory: Directory, cursor?: string, limit = 100): Promise<Page> =>
  ask(directory, '/servers/changes', { ...(cursor === undefined ? {} : { cursor }), limit })

/** Everything that `GET /servers` lists, by id and without ranks: a follower's expected state. */
export async function listed(directory: Directory): Promise<Map<string, object>> {
  const all = new Map<string, object>()
  for (let page = 1; ; page++) {
    const query = { page, limit: 100, sortBy: 'createdAt', sortOrder: 'asc' }
    const { servers, pagination } = await ask(directory, '/servers', query)
    for (const { rank: _rank, score: _score, ...server } of servers as Item[]) all.set(server.id, server)
    if (page >= pagination.totalPages) return all
  }
}

export interface Follower {
  servers: Map<string, object>
  /** Requests one page. @returns whether there is more */
  step(directory: Directory, limit: number): Promise<boolean>
  cursor(): string | undefined
}

export function createFollower(): Follower {
  const servers = new Map<string, object>()
  let cursor: string | undefined
  return {
    servers,
    async step(directory, limit) {
      const page = await changes(directory, cursor, limit)
      for (const server of page.servers) servers.set(server.id, server)
      for (const id of page.removed) servers.delete(id)
      cursor = page.cursor
      return page.hasMore
    },
    cursor: () => cursor,
  }
}
