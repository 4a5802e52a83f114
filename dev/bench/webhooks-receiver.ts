// The receiver of the webhook benchmark, in its own process: accepts everything.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((req, res) => {
  req.resume().on('end', () => res.writeHead(204).end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 4_096, () => process.send?.((server.address() as AddressInfo).port))
