// Keeps a copy of the whole directory through its change feed: everything once, then only changes.
import type { Answer, Client } from './client.ts'

type Changes = Answer<'get', '/servers/changes'>
export type MirroredServer = Changes['servers'][number]

export interface Mirror {
  servers: Map<string, MirroredServer>
  /** Reads to the end of the feed. @returns how many servers changed or were removed */
  catchUp(): Promise<number>
}

/** @param cursor of an earlier run; store it together with the servers */
export function createMirror(client: Client, cursor?: string): Mirror {
  const servers = new Map<string, MirroredServer>()
  return {
    servers,
    async catchUp() {
      let seen = 0
      for (;;) {
        const page = await client.get('/servers/changes', { query: { limit: 500, ...(cursor ? { cursor } : {}) } })
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
