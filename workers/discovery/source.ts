// What a source is.

/** A server as a source has it: nothing of it is checked. */
export interface Find {
  /** gamedig type id. */
  game: string
  /** An IP address or a DNS name. */
  host: string
  gamePort: number
  /** Undefined: the game's usual one for its game port. */
  queryPort?: number | undefined
  /** Empty: unknown. */
  name: string
}

export interface Source {
  /** The source's name in the setting DISCOVER. */
  name: string
  /** Games of its servers: gamedig type ids. */
  games: readonly string[]
  intervalSeconds: number
  /** Servers of one run; the rest is left out. */
  maxServers: number
  /** @throws if the source does not answer, or its answer is not a list of servers */
  found(signal: AbortSignal): AsyncIterable<Find>
}
