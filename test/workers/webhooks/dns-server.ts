// A DNS server on a local UDP port whose answers a test sets and may change with each question.
import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

/** Addresses; 'fail': SERVFAIL; 'silent': no answer. */
export type DnsAnswer = string[] | 'fail' | 'silent'

const A = 1
const AAAA = 28
const SERVFAIL = 2

/** @param answer called for each question; addresses of the other family are left out */
export async function startDnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    if (type !== A && type !== AAAA) return
    asked.push(`${name} ${type === A ? 'A' : 'AAAA'}`)
    const said = answer(name, type === A ? 'A' : 'AAAA')
    if (said !== 'silent') socket.send(reply(query, end + 4, type, said), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

function reply(query: Buffer, questionEnd: number, type: number, said: string[] | 'fail'): Buffer {
  const family = type === A ? 'ipv4' : 'ipv6'
  const addresses = (said === 'fail' ? [] : said).map((text) => ipaddr.parse(text)).filter((ip) => ip.kind() === family)
  const head = Buffer.from(query.subarray(0, questionEnd))
  head.writeUInt16BE(0x8180 | (said === 'fail' ? SERVFAIL : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const answers = addresses.map((ip) => {
    const data = Buffer.from(ip.toByteArray())
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // a pointer to the question's name
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10) // a TTL of 0
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, ...answers])
}
