// Luanti servers answer no queries. One that announced itself to this directory is greeted as by a client that
// connects, so that its announcement counts only while a server answers at its address.
import { protocols } from 'gamedig'
import { fieldsOf } from './fields.ts'

/** Protocol id, peer 0, channel 0, and an empty packet: the server then gives the sender a peer id. */
const HELLO = Buffer.from([0x4f, 0x45, 0x74, 0x03, 0, 0, 0, 1])
/** Control packet that ends the connection of a peer. */
const GOODBYE = [0, 0, 3]
/** The reply is a reliable packet around the control packet with the peer id. */
const REPLY_BYTES = 14
const PEER_ID = 12

/** Field of a list's content: the server was announced here. */
export const ANNOUNCED_HERE = 'announcedHere'

let installed = false

/** Makes gamedig greet such servers; calling it again changes nothing. */
export function installLuantiHello(): void {
  if (installed) return
  installed = true
  const { prototype } = protocols.minetest as (typeof protocols)[string]
  const { run } = prototype
  prototype.run = async function runWithHello(state) {
    if (fieldsOf(this.options.publicList?.content)[ANNOUNCED_HERE] === true) {
      const peerId = await this.udpSend(HELLO, peerIdOf)
      await this.udpSend(Buffer.from([...HELLO.subarray(0, 4), ...peerId, ...GOODBYE]))
    }
    await run.call(this, state)
  }
}

const peerIdOf = (reply: Buffer): Buffer | undefined =>
  reply.length >= REPLY_BYTES && reply.subarray(0, 4).equals(HELLO.subarray(0, 4))
    ? reply.subarray(PEER_ID, REPLY_BYTES)
    : undefined
