// Compares heads whose lines are made once with those that `writeHead` makes of the same headers.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { linesOf, linesOfShared, writeHeadOfLines } from '../../../src/platform/http/fast-path/reply-head.ts'

const HEADERS = ['X-Frame-Options', 'DENY', 'ETag', '"abc"', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Empty', '']
const BODY = 'twelve bytes'

/** @returns all that the server sends for a request, with the date and the server's port taken out */
async function replyTo(request: string, writeHead: (res: ServerResponse) => void): Promise<string> {
  const server = createServer((_req, res) => {
    writeHead(res)
    res.end(BODY)
    server.closeIdleConnections()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(request)
  return String(Buffer.concat(await socket.toArray())).replace(/Date: .*\r\n/, 'Date: …\r\n')
}

it.each([
  ['a connection that stays open', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['one that the client wants closed', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 with keep-alive', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['HEAD', 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two requests in a row', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2)],
])('%s: the reply is the one that `writeHead` begins', async (_name, request) => {
  const ours = await replyTo(request, (res) => writeHeadOfLines(res, linesOf(HEADERS), BODY.length))
  const nodes = await replyTo(request, (res) => {
    res.writeHead(200, [...HEADERS, 'Content-Length', String(BODY.length)])
  })
  expect(ours).toContain('\r\nSet-Cookie: b=2\r\n')
  expect(ours).toBe(nodes)
})

it('a connection that closes after this reply says so', async () => {
  const reply = await replyTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (res) => {
    res.shouldKeepAlive = false
    writeHeadOfLines(res, linesOf(HEADERS), BODY.length)
  })
  expect(reply).toContain('\r\nConnection: close\r\n')
})

it.each([
  ['X-Split', 'a\r\nSet-Cookie: stolen=1'],
  ['X-Nul', 'a\0'],
  ['X Space', 'a'],
  ['X-Split\r\nSet-Cookie', 'a'],
])('a header that HTTP does not allow is refused: %j', (name, value) => {
  expect(() => linesOf([name, value])).toThrow(TypeError)
  expect(() => linesOfShared([name, value])).toThrow(TypeError)
})

it('headers that were set before are not lost', () => {
  const set = { getHeaderNames: () => ['set-cookie'] } as ServerResponse
  expect(() => writeHeadOfLines(set, '', 0)).toThrow('headers were set before the head')
})

it('a reply has one head', async () => {
  let second: unknown
  const reply = await replyTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (res) => {
    writeHeadOfLines(res, linesOf(['ETag', '"first"']), BODY.length)
    try {
      writeHeadOfLines(res, linesOf(['ETag', '"second"']), 1)
    } catch (error) {
      second = error
    }
  })
  expect(second).toEqual(new Error('a head was written before'))
  expect(reply).toContain('ETag: "first"')
})
