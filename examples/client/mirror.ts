// Keeps a copy of the whole directory through its change feed: everything once, then only changes.
import { type Answer, ApiError, type Client } from './client.ts'

type Changes = Answer<'get', '/servers/changes'>
export type MirroredServer = Changes['servers'][number]

export interface Mirror {
  servers: Map<string, MirroredServer>
  /** Reads to the end of the feed. @returns how many servers changed or were removed */
  catchUp(): Promise<number>
}

export function createMirror(client: Client): Mirror {
  const servers = new Map<string, MirroredServer>()
  let cursor: string | undefined

  const readPage = () => client.get('/servers/changes', { query: { limit: 500, ...(cursor ? { cursor } : {}) } })

  return {
    servers,
    async catchUp() {
      let seen = 0
      for (;;) {
        const page = await readPage().catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'cursor_expired') return undefined
          throw error
        })
        if (!page) {
          // The directory no longer knows what changed since then, as after a restored backup: start again.
          servers.clear()
          cursor = undefined
          continue
        }
        for (const server of page.servers) servers.set(server.id, server)
        for (const id of page.removed) servers.delete(id)
        seen += page.servers.length + page.removed.length
        // Stored after the page was applied: a lost page is requested again, and applying one twice does no harm.
        cursor = page.cursor
        if (!page.hasMore) return seen
      }
    },
  }
}
