// Bounds what a game server can make gamedig do: its TCP replies, HTTP bodies, split packets and parsers have no limits
// of their own. Its protocols share one base class; this wraps the four methods through which all input arrives, and
// two parsers that work on decoded text, once per process.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { type Protocol, protocols, type Reader } from 'gamedig'
import { inBrackets } from '../../src/platform/public-address.ts'

export const BOUNDS = {
  /** Bounds of one request's reply: the longest honest ones are lists in up to 16 packets. */
  udpDatagrams: 32,
  udpBytes: 128 * 1024,
  /**
   * A Minecraft status with its icon and a long mod list stays below 300 kB. Replies are re-joined for each chunk, so
   * both count.
   */
  tcpBytes: 512 * 1024,
  tcpChunks: 2_000,
  httpBytes: 512 * 1024,
  /** Lists of all servers of a game, from its publisher's own fixed address. */
  masterListBytes: 8 * 1024 * 1024,
  /**
   * Reads past the end return 0 or '' in gamedig: optional fields need a few, a loop over a forged count needs
   * millions.
   */
  readsPastEnd: 64,
  /** Reads per reply. */
  reads: 200_000,
} as const

/** Message of the error beyond a bound. Not retried. */
export const TOO_LONG = 'reply too long'
const COMPRESSED_SPLIT = 0x8000_0000
/** Where a Battlefield server says how many teams follow. */
const TEAM_COUNT = 7
const valve = protocols.valve as (typeof protocols)[string]
let installed = false

interface CountingReader extends Reader {
  reads?: number
  readsPastEnd?: number
}

/** Wraps gamedig's base class; calling it again changes nothing. */
export function installBounds(): void {
  if (installed) return
  installed = true
  const base: Protocol = Object.getPrototypeOf(valve.prototype)
  const { udpSend, withTcp, request, reader } = base

  base.udpSend = function boundedUdpSend(buffer, onPacket, onTimeout) {
    return udpSend.call(this, buffer, onPacket && boundedPackets(this, onPacket), onTimeout) as never
  }
  base.withTcp = function boundedTcp(use, port) {
    return withTcp.call(this, (socket: Socket) => use(boundedSocket(socket)), port) as never
  }
  base.request = async function boundedRequest(parameters) {
    const { publicList } = this.options
    // Downloaded before (public-lists.ts). A protocol that reads a list requests nothing else, but whether the list is
    // there.
    if (publicList) return parameters.method === 'HEAD' ? '' : publicList.content
    const url = withBrackets(String(parameters.url), String(this.options.address))
    return request.call(this, { ...parameters, url, ...boundedHttp(this, url) })
  }
  boundReaders(reader.call({ ...base, options: {} } as Protocol, Buffer.alloc(0)))
  boundBattlefield()
  // Its pattern takes quadratic time over a forged description; neither descriptions nor comments are used.
  prototypeOf<{ cleanComment(text: string): string }>('mumble').cleanComment = () => ''
}

const prototypeOf = <Own>(protocol: string) => protocols[protocol]?.prototype as Protocol & Own

/** Its replies are words, some of which say how many follow: gamedig loops so often, however few there are. */
function boundBattlefield(): void {
  const battlefield = prototypeOf<{ query(socket: Socket, command: string[]): Promise<string[] | undefined> }>(
    'battlefield',
  )
  const { query } = battlefield
  battlefield.query = async function boundedQuery(socket, command) {
    const words = await query.call(this, socket, command)
    for (const count of countsIn(command[0], words ?? []))
      if (count !== undefined && !(Number(count) <= (words?.length ?? 0))) throw new Error('reply ends too early')
    return words
  }
}

/** The words of a reply that are numbers of others. */
function countsIn(command: string | undefined, words: readonly string[]): (string | undefined)[] {
  if (command === 'serverInfo') return [words[TEAM_COUNT]]
  if (command !== 'listPlayers') return []
  const [fields] = words
  return [fields, words[1 + Number.parseInt(fields ?? '', 10)]]
}

/** Counts the bytes that answer a request, and ends it beyond the bounds. */
function boundedPackets<T>(query: Protocol, onPacket: (datagram: Buffer) => T | undefined) {
  let datagrams = 0
  let bytes = 0
  return (datagram: Buffer): T | undefined => {
    datagrams++
    bytes += datagram.length
    if (datagrams > BOUNDS.udpDatagrams || bytes > BOUNDS.udpBytes) throw new Error(TOO_LONG)
    // Only player and rules lists of old Source games were ever compressed, and neither is requested; bzip2 output has
    // no bound.
    if (
      query instanceof valve &&
      !query.goldsrcSplits &&
      datagram.length >= 8 &&
      datagram.readInt32LE(0) === -2 &&
      datagram.readUInt32LE(4) & COMPRESSED_SPLIT
    )
      throw new Error('compressed reply')
    return onPacket(datagram)
  }
}

function boundedSocket(socket: Socket): Socket {
  let chunks = 0
  let bytes = 0
  // The first listener, so that a chunk beyond the bounds ends the connection before other listeners append it.
  socket.prependListener('data', (chunk: Buffer) => {
    chunks++
    bytes += chunk.length
    if (chunks > BOUNDS.tcpChunks || bytes > BOUNDS.tcpBytes) {
      socket.removeAllListeners('data')
      socket.destroy()
    }
  })
  return socket
}

/** gamedig puts addresses into URLs as they are; IPv6 needs brackets there (RFC 3986). */
const withBrackets = (url: string, address: string): string =>
  address.includes(':') ? url.replace(`://${address}:`, `://${inBrackets(address)}:`) : url

/** Options for gamedig's HTTP client: a bounded body, no decompression, and no redirects to unchecked addresses. */
function boundedHttp(query: Protocol, url: string): Record<string, unknown> {
  const own = new URL(url).hostname === inBrackets(String(query.options.address))
  const limit = own ? BOUNDS.httpBytes : BOUNDS.masterListBytes
  return {
    followRedirect: false,
    decompress: false,
    request: (target: URL, options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
      const outgoing = (target.protocol === 'https:' ? https : http).request(target, options, onResponse)
      outgoing.prependListener('response', (response) => {
        let bytes = 0
        const push = response.push
        response.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
          bytes += chunk?.length ?? 0
          if (bytes > limit) {
            response.destroy(new Error(TOO_LONG))
            return false
          }
          return push.call(response, chunk, encoding)
        }
      })
      return outgoing
    },
  }
}

/** Ends parsers that loop over missing data. `sample` is any reader; all share its methods. */
function boundReaders(sample: Reader): void {
  const methods = Object.getPrototypeOf(sample) as Record<string, (this: CountingReader, ...p: unknown[]) => unknown>
  for (const name of ['string', 'int', 'uint', 'float', 'varint', 'part']) {
    const read = methods[name]
    if (!read) continue
    methods[name] = function boundedRead(...parameters) {
      this.reads = (this.reads ?? 0) + 1
      if (this.i >= this.buffer.length) this.readsPastEnd = (this.readsPastEnd ?? 0) + 1
      if (this.reads > BOUNDS.reads || (this.readsPastEnd ?? 0) > BOUNDS.readsPastEnd)
        throw new Error('reply ends too early')
      return read.apply(this, parameters)
    }
  }
}
