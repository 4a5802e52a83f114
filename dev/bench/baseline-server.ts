// The bare node:http server that the list page is compared with: it sends the same bytes and does nothing else.
import http from 'node:http'

process.once('message', ({ body }: { body: string }) => {
  const bytes = Buffer.from(body, 'utf8')
  const server = http.createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
    res.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.on('disconnect', () => process.exit(0))
