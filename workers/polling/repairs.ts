// Two games whose real servers gamedig does not understand; test/world/game-servers.test.ts runs both.
import { type Protocol, protocols } from 'gamedig'

const BACKSLASH = 0x5c
/** A netPanzer server's reply is one packet without a number, and its first name has no backslash in front. */
const FIRST_PACKET = Buffer.from('\\queryid\\1.1\\')

/** Empty Armagetron servers answer the long request only after the short one, which its client sends first. */
const SHORT_REQUEST = Buffer.from([0, 0x34, 0, 0, 0, 0, 0, 0x11])
const LONG_REPLY = 0x33

let installed = false

/** Makes gamedig query netPanzer and Armagetron Advanced as their clients do; calling it again changes nothing. */
export function installRepairs(): void {
  if (installed) return
  installed = true
  // The base class' method is looked up at each call: bounds.ts replaces it.
  const base: Protocol = Object.getPrototypeOf(prototypeOf('gamespy1'))
  prototypeOf('gamespy1').udpSend = function sendGamespy1(request, onPacket, onTimeout) {
    const complete = (reply: Buffer) => (reply[0] === BACKSLASH ? reply : Buffer.concat([FIRST_PACKET, reply]))
    return base.udpSend.call(this, request, onPacket && ((reply) => onPacket(complete(reply))), onTimeout) as never
  }
  prototypeOf('armagetron').udpSend = async function sendArmagetron(request, onPacket, onTimeout) {
    await base.udpSend.call(this, SHORT_REQUEST)
    const isLong = (reply: Buffer) => reply.length > 1 && reply.readUInt16BE(0) === LONG_REPLY
    const onLong = onPacket && ((reply: Buffer) => (isLong(reply) ? onPacket(reply) : undefined))
    return base.udpSend.call(this, request, onLong, onTimeout) as never
  }
}

const prototypeOf = (protocol: string): Protocol => (protocols[protocol] as (typeof protocols)[string]).prototype
