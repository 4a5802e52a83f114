// The game server of the webhook benchmark, in its own process: takes every vote of both Votifier protocols.
import net, { type AddressInfo } from 'node:net'

const MAGIC = 0x733a
const BLOCK_BYTES = 256

const server = net.createServer((socket) => {
  let bytes = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.length < 4) return
    const isSigned = bytes.readUInt16BE(0) === MAGIC
    if (bytes.length >= (isSigned ? 4 + bytes.readUInt16BE(2) : BLOCK_BYTES))
      socket.end(isSigned ? '{"status":"ok"}\r\n' : '')
  })
  socket.write('VOTIFIER 2 challenge\n')
})
server.listen(0, '127.0.0.1', 4_096, () => process.send?.((server.address() as AddressInfo).port))
