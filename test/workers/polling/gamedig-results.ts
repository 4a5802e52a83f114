// gamedig's source code by protocol, for tests that notice when an update changes what our tables are about; and
// results like its own.
import { protocols, type QueryResult } from 'gamedig'

export const resultWith = (part: Partial<QueryResult>): QueryResult => ({
  name: '',
  map: '',
  version: '',
  maxplayers: 20,
  numplayers: 0,
  players: [],
  raw: {},
  ...part,
})

/** Of a protocol's class and of those that it inherits from. */
export const inheritedSources = (id: string): string => sourcesOf(protocols[id])

function sourcesOf(protocol: unknown): string {
  return typeof protocol === 'function' && protocol !== Function.prototype
    ? `${protocol}${sourcesOf(Object.getPrototypeOf(protocol))}`
    : ''
}
