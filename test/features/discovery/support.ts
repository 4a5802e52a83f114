// Sources that find what a test says, without the network.
import type { Find, Source } from '../../../workers/discovery/source.ts'

export const find = (host: string, fields: Partial<Find> = {}): Find => ({
  game: 'minetest',
  host,
  gamePort: 30_000,
  name: `Server at ${host}`,
  ...fields,
})

/** Servers at as many addresses. */
export const findMany = (count: number): Find[] =>
  Array.from({ length: count }, (_, n) => find(`203.0.${n >> 8}.${n & 255}`))

/** A source that finds these servers; `fail` makes its next run throw. */
export function testSource(name: string, finds: readonly Find[] = []) {
  const state = { finds: [...finds], failure: undefined as string | undefined }
  const source: Source = {
    name,
    games: ['minetest'],
    intervalSeconds: 600,
    maxServers: 1_000,
    async *found() {
      yield* state.finds
      if (state.failure) throw new Error(state.failure)
    },
  }
  return { source, state }
}
