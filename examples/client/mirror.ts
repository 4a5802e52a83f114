// Keeps a copy of the whole directory by its change feed: everything once, then only what changed.
import type { Answer, Client } from './client.ts'

type Changes = Answer<'get', '/servers/changes'>
export type MirroredServer = Changes['servers'][number]

export interface Mirror {
  servers: Map<string, MirroredServer>
  /** Reads until nothing is left to read. @returns how many servers changed or went */
  catchUp(): Promise<number>
}

/** @param cursor of an earlier run; whoever keeps it must keep the servers too */
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
        // Kept only now: a page that was lost on its way is asked for again, and taking one twice does no harm.
        cursor = page.cursor
        if (!page.hasMore) return seen
      }
    },
  }
}
