// Types of gamedig as far as this product uses it: the package has none, and those on DefinitelyTyped are
// of an older version.
declare module 'gamedig' {
  export interface QueryOptions {
    /** Id of a game in `games`, or `protocol-` and a key of `protocols`. */
    type: string
    host: string
    /** Resolved address; with it no name is looked up. */
    address?: string
    port?: number
    /** Whether neighbouring ports are left alone. */
    givenPortOnly?: boolean
    /** Tries in all, not repetitions. */
    maxRetries?: number
    /** Milliseconds one request may wait for its reply. */
    socketTimeout?: number
    /** Milliseconds one try may take, however many requests it makes. */
    attemptTimeout?: number
    portCache?: boolean
    requestPlayers?: boolean
    requestRules?: boolean
    /** Ours: the list that a protocol would download. gamedig hands options it does not know to the protocol. */
    publicList?: { content: unknown }
  }

  /** Protocols fill it in. A value that a protocol does not report, or that a server invents, can be of any type. */
  export interface QueryResult {
    name: unknown
    map: unknown
    version: unknown
    numplayers: unknown
    maxplayers: unknown
    players: unknown
    /** The players that a protocol takes for bots. */
    bots?: unknown
    password?: unknown
    /** Shortest round trip in milliseconds. */
    ping?: unknown
    /** Where players connect: `203.0.113.5:27015`. */
    connect?: unknown
    /** What else a protocol read, each under its own keys. */
    raw: unknown
  }

  /** The one UDP socket of an instance, as its protocols use it. */
  export interface UdpSocket {
    send(buffer: Uint8Array, address: string, port: number): Promise<unknown>
    addCallback(callback: (fromAddress: string, fromPort: number, buffer: Buffer) => void): void
    removeCallback(callback: (fromAddress: string, fromPort: number, buffer: Buffer) => void): void
  }

  export class GameDig {
    queryRunner: { udpSocket: UdpSocket }
    query(options: QueryOptions): Promise<QueryResult>
  }

  /** Reads a reply from its begin to its end. */
  export interface Reader {
    buffer: Buffer
    /** Where it is. */
    i: number
  }

  /** A protocol's half-made query. Every protocol extends the same base class. */
  export interface Protocol {
    options: QueryOptions
    udpSocket: UdpSocket
    goldsrcSplits?: boolean
    reader(buffer: Buffer): Reader
    udpSend<T>(
      buffer: Buffer | string,
      onPacket?: (buffer: Buffer) => T | undefined,
      onTimeout?: () => T | undefined,
    ): Promise<T>
    withTcp<T>(use: (socket: import('node:net').Socket) => Promise<T>, port?: number): Promise<T>
    request(parameters: Record<string, unknown>): Promise<unknown>
    /** Fills in the result. */
    run(state: QueryResult): Promise<void>
  }

  export const games: Record<
    string,
    { name: string; options: { port?: number; port_query?: number; protocol: string } }
  >
  export const protocols: Record<string, (new () => Protocol) & { prototype: Protocol }>
}
