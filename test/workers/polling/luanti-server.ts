// A Luanti server: it answers no queries, only clients that connect.
import { udpServer } from './far-end.ts'

/** The peer id of a new client, in a reliable packet. */
const WELCOME = Buffer.from([0x4f, 0x45, 0x74, 3, 0, 1, 0, 3, 0xff, 0xdc, 0, 1, 0, 9])

export async function luantiServer(address: string) {
  const requests: string[] = []
  const server = await udpServer(address, (request, reply) => {
    requests.push(request.toString('hex'))
    if (request[4] === 0 && request[5] === 0) reply(WELCOME)
  })
  return { ...server, requests }
}
