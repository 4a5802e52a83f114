// A name server on a free port of this machine, over UDP and TCP, whose records a test sets and may change with each
// question. All records have a lifetime of 0 s.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, isIPv6, type Socket } from 'node:net'
import dnsPacket, { type Answer, type Packet } from 'dns-packet'
import { onTestFinished } from 'vitest'
import type { AtEnd } from '../commands/support/start-launcher.ts'

/** An address, another name of the same host, or a host that offers the service. */
export type NameRecord =
  | string
  | { cname: string }
  | { priority?: number; weight?: number; port: number; target: string }
/** 'missing': NXDOMAIN; 'fail': SERVFAIL; 'silent': no answer. */
export type NameAnswer = NameRecord[] | 'missing' | 'fail' | 'silent'
export type QuestionType = 'A' | 'AAAA' | 'SRV'

export interface NameServer {
  address: string
  /** Questions: name, type, and `tcp` for those over TCP. */
  asked: string[]
}

/** The largest datagram that crosses every network (RFC 9715). */
const MAX_DATAGRAM_BYTES = 1_232
const MAX_CNAMES = 8
const RCODES = { missing: 3, fail: 2 }

/**
 * @param answer called for each question, and for each name that another one stands for; records of
 * other types are left out
 * @param options.tcp false: nothing listens on TCP, where clients turn when an answer does not fit into a datagram
 * @param options.atEnd when to close it: with the test unless given
 */
export async function startNameServer(
  answer: (name: string, type: QuestionType) => NameAnswer,
  { tcp = true, atEnd = onTestFinished }: { tcp?: boolean; atEnd?: AtEnd } = {},
): Promise<NameServer> {
  const asked: string[] = []

  function reply(query: Buffer, over: 'udp' | 'tcp'): Buffer | undefined {
    const { id = 0, questions = [] } = dnsPacket.decode(query)
    const [question] = questions
    if (!question || !isKnown(question.type)) return undefined
    const name = question.name.toLowerCase()
    asked.push([name, question.type, ...(over === 'tcp' ? ['tcp'] : [])].join(' '))
    const answers = recordsOf(name, question.type, answer)
    if (answers === 'silent') return undefined
    const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE
    const head: Packet = { type: 'response', id, flags, questions }
    if (typeof answers === 'string') return dnsPacket.encode({ ...head, flags: flags | RCODES[answers] })
    const message = dnsPacket.encode({ ...head, answers })
    if (over === 'tcp' || message.length <= MAX_DATAGRAM_BYTES) return message
    return dnsPacket.encode({ ...head, flags: flags | dnsPacket.TRUNCATED_RESPONSE })
  }

  for (;;) {
    const udp = await openUdp((query) => reply(query, 'udp'))
    const { port } = udp.address()
    // The system gives a port that is free for one of both.
    if (!tcp || (await openTcp(port, (query) => reply(query, 'tcp'), atEnd))) {
      atEnd(() => new Promise<void>((resolve) => udp.close(() => resolve())))
      return { address: `127.0.0.1:${port}`, asked }
    }
    udp.close()
  }
}

type Reply = (query: Buffer) => Buffer | undefined

async function openUdp(reply: Reply): Promise<UdpSocket> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const message = reply(query)
    if (message) socket.send(message, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

/** Messages over TCP begin with their length in two bytes (RFC 1035). @returns false if the port is taken */
async function openTcp(port: number, reply: Reply, atEnd: AtEnd): Promise<boolean> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      const message = reply(received.subarray(2))
      received = Buffer.alloc(0)
      if (!message) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      socket.write(Buffer.concat([length, message]))
    })
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isOpen)
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
  return isOpen
}

const isKnown = (type: string): type is QuestionType => ['A', 'AAAA', 'SRV'].includes(type)

/** Follows other names, as name servers do that answer for all domains. */
function recordsOf(
  name: string,
  type: QuestionType,
  answer: (name: string, type: QuestionType) => NameAnswer,
  depth = 0,
): Answer[] | Exclude<NameAnswer, NameRecord[]> {
  const given = answer(name, type)
  if (typeof given === 'string') return given
  return given.flatMap((record): Answer[] => {
    if (typeof record === 'string')
      return type === (isIPv6(record) ? 'AAAA' : 'A') ? [{ name, type, ttl: 0, data: record }] : []
    if ('target' in record) return type === 'SRV' ? [{ name, type, ttl: 0, data: record }] : []
    const alias: Answer = { name, type: 'CNAME', ttl: 0, data: record.cname }
    const more = depth < MAX_CNAMES ? recordsOf(record.cname, type, answer, depth + 1) : []
    return typeof more === 'string' ? [alias] : [alias, ...more]
  })
}
