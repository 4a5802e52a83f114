// Servers that other replies name only by their id or their stored address.
import type { Client } from '../components/client.ts'
import type { ServerDetail } from '../components/types.ts'
import { fallbackOn, ifFound } from '../page.ts'

/** Those of the servers that are listed, by id; none while the directory is too old. */
export async function findListed(api: Client, ids: readonly string[]): Promise<Map<string, ServerDetail>> {
  const find = (id: string) => fallbackOn(503, undefined, ifFound(api.get('/servers/{id}', { path: { id } })))
  const found = await Promise.all([...new Set(ids)].map(find))
  return new Map(found.flatMap((server) => (server ? [[server.id, server]] : [])))
}
