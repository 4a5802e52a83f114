// What gamedig's protocols do with the name and the address of a target. A test compares both tables with its sources.

/**
 * Uses of `options.host`, by protocol. `says`: sends it to the server, which answers for that name (forced hosts of
 * Minecraft's proxies). `connects`: opens connections to it, so it must be the checked address. `compares`: looks for
 * it in a publisher's list, in which our list names the server by its address (list-formats.ts).
 */
export const USES_OF_HOST = {
  minecraftvanilla: 'says',
  eco: 'connects',
  farmingsimulator: 'connects',
  hytale: 'connects',
  nadeo: 'connects',
  palworld: 'connects',
  satisfactory: 'connects',
  sdtd: 'connects', // by `telnetConnect` of the base class
  altvmp: 'compares',
  ragemp: 'compares',
} as const satisfies Record<string, 'says' | 'connects' | 'compares'>

/** Those that say it, also by running another protocol. All others, and those to come, get the address as `host`. */
const SAYS_HOST = new Set([
  'minecraft',
  ...Object.entries(USES_OF_HOST).flatMap(([protocol, use]) => (use === 'says' ? [protocol] : [])),
])

/** Protocols whose packets hold an IPv4 address: the four bytes before the port. */
export const IPV4_ONLY: ReadonlySet<string> = new Set(['samp', 'gtasao', 'vcmp'])

/**
 * The `host` for gamedig.
 * @param listed the address or name as it is listed
 * @param address the checked address
 */
export const hostFor = (protocol: string, listed: string, address: string): string =>
  SAYS_HOST.has(protocol) ? listed : address

/** Whether a protocol can query an address. */
export const canCarry = (protocol: string, address: string): boolean =>
  !(IPV4_ONLY.has(protocol) && address.includes(':'))
