// Source RCON on the wire: encodes packets, and reads packets from a TCP stream.

/**
 * https://developer.valvesoftware.com/wiki/Source_RCON_Protocol; a command and the answer to a login share a number.
 */
export const AUTH = 3
export const AUTH_RESPONSE = 2
export const EXEC_COMMAND = 2
export const RESPONSE_VALUE = 0

export interface Packet {
  id: number
  type: number
  body: Buffer
}

/** Size of a packet without its body and size field: id, type and two zero bytes. */
const FRAME_BYTES = 10

export function encodePacket(id: number, type: number, body: string): Buffer {
  const text = Buffer.from(body)
  const bytes = Buffer.alloc(4 + FRAME_BYTES + text.length)
  bytes.writeInt32LE(FRAME_BYTES + text.length, 0)
  bytes.writeInt32LE(id, 4)
  bytes.writeInt32LE(type, 8)
  text.copy(bytes, 12)
  return bytes
}

/** The bytes are not RCON, or exceed the limit. */
export class PacketError extends Error {
  override name = 'PacketError'
  readonly reason: 'protocol_error' | 'answer_too_large'

  constructor(reason: PacketError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** @param maxBytes of all packets; a packet that announces more is rejected before its bytes arrive */
export function createPacketReader(maxBytes: number) {
  // Grown by doubling, so that a peer that sends single bytes does not cause a copy for each.
  let pending: Buffer = Buffer.alloc(4096)
  let length = 0
  let total = 0

  return {
    /** Whether a packet is incomplete. */
    get isMidway() {
      return length > 0
    },
    /** @returns the packets that this chunk completes. @throws PacketError */
    push(chunk: Buffer): Packet[] {
      total += chunk.length
      if (total > maxBytes) throw new PacketError('answer_too_large', `more than ${maxBytes} bytes`)
      if (length + chunk.length > pending.length) {
        const larger = Buffer.alloc(Math.max(pending.length * 2, length + chunk.length))
        pending.copy(larger, 0, 0, length)
        pending = larger
      }
      chunk.copy(pending, length)
      length += chunk.length

      const packets: Packet[] = []
      let start = 0
      while (length - start >= 4) {
        const size = pending.readInt32LE(start)
        if (size < FRAME_BYTES) throw new PacketError('protocol_error', `a packet of ${size} bytes`)
        if (size > maxBytes) {
          // Text of another protocol, read as a number, is far larger than any real packet.
          const reason = size > 16 * 2 ** 20 ? 'protocol_error' : 'answer_too_large'
          throw new PacketError(reason, `a packet of ${size} bytes`)
        }
        if (length - start - 4 < size) break
        const body = Buffer.from(pending.subarray(start + 12, start + 4 + size - 2))
        packets.push({ id: pending.readInt32LE(start + 4), type: pending.readInt32LE(start + 8), body })
        start += 4 + size
      }
      pending.copyWithin(0, start, length)
      length -= start
      return packets
    },
  }
}
