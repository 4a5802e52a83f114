// How publishers' lists name their servers. One server has several names there (a host name or its address, in various
// spellings), and gamedig compares only one of them literally.
import net from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { type Fields, fieldsOf } from './fields.ts'
import { safeText } from './safe-values.ts'

/** A name of a server in a list, unchecked. Without a port it means each port of its host. */
interface HostPort {
  host: unknown
  port?: unknown
}

/** The address that gamedig looks for. */
export interface ListTarget {
  address: string
  port: number
}

interface Format {
  /** @returns undefined if the content is no such list */
  entriesOf(content: unknown): Fields[] | undefined
  /** The first with a host and a port is what players type. */
  hostPortsOf(entry: Fields): HostPort[]
  nameOf(entry: Fields): unknown
  /** A list that has this entry only, at the address that gamedig looks for. */
  listWith(entry: Fields, target: ListTarget): unknown
}

const entriesOf = (list: unknown): Fields[] | undefined => (Array.isArray(list) ? list.map(fieldsOf) : undefined)
const endpointOf = ({ address, port }: ListTarget) => `${address}:${port}`

/** Lines of `country::…::address::port::name::…`. */
const GENESHIFT_ADDRESS = 2
const GENESHIFT_NAME = 4

export const LIST_FORMATS = {
  altvmp: {
    entriesOf,
    hostPortsOf: ({ address, host, port }) => [parseEndpoint(address), { host, port }],
    nameOf: ({ name }) => name,
    // `useCdn` makes gamedig compare the address as it is.
    listWith: (entry, target) => [{ ...entry, useCdn: true, address: endpointOf(target) }],
  },
  beammp: {
    entriesOf,
    hostPortsOf: ({ ip, port }) => [{ host: ip, port }],
    nameOf: ({ sname }) => without(sname, /\^./g),
    listWith: (entry, { address, port }) => [{ ...entry, ip: address, port: String(port) }],
  },
  brokeprotocol: {
    entriesOf: (content) => entriesOf(fieldsOf(content).servers),
    hostPortsOf: ({ ip, IP, port, Port }) => [{ host: ip ?? IP, port: port ?? Port }],
    nameOf: ({ name, Name }) => name ?? Name,
    listWith: (entry, { address, port }) => ({ servers: [{ ...entry, ip: address, port }] }),
  },
  geneshift: {
    entriesOf: (content) =>
      typeof content === 'string' ? content.split('<br/>').map((line) => ({ ...line.split('::') })) : undefined,
    hostPortsOf: ({ [GENESHIFT_ADDRESS]: host, [GENESHIFT_ADDRESS + 1]: port }) => [{ host, port }],
    nameOf: ({ [GENESHIFT_NAME]: name }) => name,
    listWith: (entry, { address, port }) =>
      Object.values({ ...entry, [GENESHIFT_ADDRESS]: address, [GENESHIFT_ADDRESS + 1]: port }).join('::'),
  },
  minetest: {
    entriesOf: (content) => entriesOf(fieldsOf(content).list),
    // What the server announced, and the address that announced it.
    hostPortsOf: ({ address, ip, port }) => [
      { host: address, port },
      { host: ip, port },
    ],
    nameOf: ({ name }) => name,
    listWith: (entry, { address, port }) => ({ list: [{ ...entry, address, port }] }),
  },
  ragemp: {
    // A network has several servers, and its own name, which means its first server.
    entriesOf: (content) =>
      entriesOf(content)?.flatMap((network) =>
        (entriesOf(network.servers) ?? []).map((server, index) => ({
          ...network,
          servers: [server],
          ids: index === 0 ? [network.id, server.id] : [server.id],
        })),
      ),
    hostPortsOf: ({ ids }) => (Array.isArray(ids) ? ids.map(parseEndpoint) : []),
    nameOf: ({ name }) => name,
    listWith: (entry, target) => [{ ...entry, id: endpointOf(target) }],
  },
  renegadex: {
    entriesOf,
    hostPortsOf: ({ IP, Port }) => [{ host: IP, port: Port }],
    nameOf: ({ Name }) => Name,
    listWith: (entry, { address, port }) => [{ ...entry, IP: address, Port: port }],
  },
  vintagestory: {
    entriesOf: (content) => entriesOf(fieldsOf(content).data),
    hostPortsOf: ({ serverIP }) => [parseEndpoint(serverIP)],
    nameOf: ({ serverName }) => serverName,
    listWith: (entry, target) => ({ data: [{ ...entry, serverIP: endpointOf(target) }] }),
  },
} as const satisfies Record<string, Format>

export type ListProtocol = keyof typeof LIST_FORMATS

export interface ServerList {
  /** No entry names a server. */
  isEmpty: boolean
  /**
   * @param hosts of one server, the best known first
   * @returns a list for gamedig that has the server only; undefined if no entry has one of its hosts and the port
   */
  find(hosts: readonly string[], target: ListTarget): unknown
  /** All servers with a port, each once for each entry. */
  servers(): Iterable<ListedAddress>
}

/** A server of a list, as the list has it. */
export interface ListedAddress {
  host: string
  port: number
  name: string
}

/**
 * Indexes a list by every name of its servers; the first entry of a name counts.
 * @returns undefined if it is no such list
 */
export function readServerList(protocol: ListProtocol, content: unknown): ServerList | undefined {
  const format: Format = LIST_FORMATS[protocol]
  const entries = format.entriesOf(content)
  if (!entries) return undefined
  const byHostPort = new Map<string, Fields>()
  for (const entry of entries)
    for (const hostPort of format.hostPortsOf(entry)) {
      const key = keyOf(hostPort)
      if (key !== undefined && !byHostPort.has(key)) byHostPort.set(key, entry)
    }
  return {
    isEmpty: byHostPort.size === 0,
    find(hosts, target) {
      const hostPorts = [...hosts.map((host) => ({ host, port: target.port })), ...hosts.map((host) => ({ host }))]
      const entry = hostPorts
        .map((hostPort) => byHostPort.get(keyOf(hostPort) ?? ''))
        .find((found) => found !== undefined)
      return entry && format.listWith(entry, target)
    },
    *servers() {
      for (const entry of entries) {
        const address = format
          .hostPortsOf(entry)
          .map(addressOf)
          .find((found) => found !== undefined)
        if (address) yield { ...address, name: safeText(format.nameOf(entry)) }
      }
    },
  }
}

/** `host:port`, `[2001:db8::1]:port` or a web address, as alt:V's servers behind a CDN have. */
function parseEndpoint(endpoint: unknown): HostPort {
  const parts =
    typeof endpoint === 'string' ? /^(?:https?:\/\/)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?(?:\/|$)/i.exec(endpoint) : null
  return { host: parts?.[1], port: parts?.[2] }
}

/** @returns NaN for what is no number, whatever JSON value it is */
const portOf = (port: unknown): number =>
  typeof port === 'number' || typeof port === 'string' ? Number(port) : Number.NaN

/** @returns undefined without a host or a port */
function addressOf({ host, port }: HostPort): { host: string; port: number } | undefined {
  const number = portOf(port)
  return typeof host === 'string' && host.trim() && Number.isInteger(number) && number > 0 && number < 65_536
    ? { host: host.trim(), port: number }
    : undefined
}

const without = (value: unknown, codes: RegExp): unknown =>
  typeof value === 'string' ? value.replace(codes, '') : value

/** Equal for equal servers. @returns undefined without a host */
function keyOf({ host, port }: HostPort): string | undefined {
  if (typeof host !== 'string') return undefined
  const bare = host.trim().replace(/^\[(.*)\]$|\.$/g, '$1')
  const name =
    net.isIP(bare) && ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : domainToASCII(bare) || bare.toLowerCase()
  const number = portOf(port)
  return name ? `${name} ${number > 0 ? number : '*'}` : undefined
}
