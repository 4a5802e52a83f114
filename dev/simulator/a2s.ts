// The server side of the Source query protocol (A2S): requests in, reply datagrams out. Pure functions.
// https://developer.valvesoftware.com/wiki/Server_queries

export interface ServerInfo {
  name: string
  map: string
  /** With the bots. */
  players: number
  maxPlayers: number
  bots?: number
  hasPassword?: boolean
  version: string
  /** Comma-separated keywords, where games put tags such as a wipe date. */
  keywords: string
  gamePort: number
  /** The number of the game at Steam. */
  appId?: number
  rules: Record<string, string>
}

const HEADER = Buffer.from([0xff, 0xff, 0xff, 0xff])
const CHALLENGE = Buffer.from([0x5a, 0x17, 0xc0, 0xde])
const CHALLENGE_REPLY = Buffer.concat([HEADER, Buffer.from('A'), CHALLENGE])
const INFO_REQUEST = 0x54
const PLAYERS_REQUEST = 0x55
const RULES_REQUEST = 0x56
/** The protocol's default datagram size, which no network fragments. Longer replies are split. */
const MAX_PACKET = 1248

/** Datagrams that answer one request: first a challenge, as servers do since 2020; none for requests other than A2S. */
export function answer(request: Buffer, info: ServerInfo): Buffer[] {
  if (request.length < 5 || request.readInt32LE(0) !== -1) return []
  const kind = request[4]
  if (kind !== INFO_REQUEST && kind !== PLAYERS_REQUEST && kind !== RULES_REQUEST) return []
  if (!request.subarray(-4).equals(CHALLENGE)) return [CHALLENGE_REPLY]
  if (kind === INFO_REQUEST) return split(infoReply(info))
  return split(kind === PLAYERS_REQUEST ? playersReply(info) : rulesReply(info))
}

const text = (value: string) => Buffer.from(`${value}\0`)
const byte = (value: number) => Math.max(0, Math.min(255, value))

function infoReply(info: ServerInfo): Buffer {
  const protocol = 17
  const appId = [0, 0] // the whole number follows, as of all games since 2010
  const bots = byte(info.bots ?? 0)
  const [dedicated, linux] = [0x64, 0x6c]
  const [visibility, insecure] = [info.hasPassword ? 1 : 0, 0]
  const HAS_PORT = 0x80
  const HAS_KEYWORDS = 0x20
  const HAS_GAME_ID = 0x01
  const gameId = Buffer.alloc(8)
  gameId.writeUInt32LE(info.appId ?? 0)
  const port = Buffer.alloc(2)
  port.writeUInt16LE(info.gamePort)
  return Buffer.concat([
    HEADER,
    Buffer.from([0x49, protocol]),
    text(info.name),
    text(info.map),
    text('simulated'),
    text('Simulated game'),
    Buffer.from([...appId, byte(info.players), byte(info.maxPlayers), bots, dedicated, linux, visibility, insecure]),
    text(info.version),
    Buffer.from([HAS_PORT | HAS_KEYWORDS | HAS_GAME_ID]),
    port,
    text(info.keywords),
    gameId,
  ])
}

function playersReply(info: ServerInfo): Buffer {
  const count = byte(info.players)
  const players = Array.from({ length: count }, (_, index) => {
    const scoreAndSeconds = Buffer.alloc(8)
    scoreAndSeconds.writeInt32LE(index * 3)
    scoreAndSeconds.writeFloatLE(60 + index, 4)
    return Buffer.concat([Buffer.from([index]), text(`player ${index + 1}`), scoreAndSeconds])
  })
  return Buffer.concat([HEADER, Buffer.from([0x44, count]), ...players])
}

function rulesReply(info: ServerInfo): Buffer {
  const rules = Object.entries(info.rules)
  const count = Buffer.alloc(2)
  count.writeUInt16LE(rules.length)
  return Buffer.concat([
    HEADER,
    Buffer.from([0x45]),
    count,
    ...rules.flatMap(([name, value]) => [text(name), text(value)]),
  ])
}

/** Splits a reply that is longer than a datagram into numbered packets. */
function split(reply: Buffer): Buffer[] {
  if (reply.length <= MAX_PACKET) return [reply]
  const total = Math.ceil(reply.length / MAX_PACKET)
  return Array.from({ length: total }, (_, number) => {
    const head = Buffer.alloc(12)
    head.writeInt32LE(-2, 0)
    head.writeUInt32LE(0x5157, 4) // one reply at a time, so its id may be constant
    head[8] = total
    head[9] = number
    head.writeUInt16LE(MAX_PACKET, 10)
    return Buffer.concat([head, reply.subarray(number * MAX_PACKET, (number + 1) * MAX_PACKET)])
  })
}
