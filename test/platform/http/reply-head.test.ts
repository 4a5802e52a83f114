// Compares heads whose lines are made once with those that `writeHead` makes of the same headers.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { cachedHeaderLines, headerLines, writeHeadWith } from '../../../src/platform/http/fast-path/reply-head.ts'

const HEADERS = ['X-Frame-Options', 'DENY', 'ETag', '"abc"', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Empty', '']
const BODY = 'twelve bytes'

/** @returns all that the server sends for a request, without the dates */
async function replyTo(request: string, writeHead: (res: ServerResponse) => void): Promise<string> {
  const server = createServer((_req, res) => {
    writeHead(res)
    res.end(BODY)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(request)
  return String(Buffer.concat(await socket.toArray())).replaceAll(/Date: .*\r\n/g, '')
}

it.each([
  ['a connection that stays open', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['one that the client wants closed', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 with keep-alive', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['HEAD', 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two requests in a row', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2)],
])('%s: the reply is the one that `writeHead` begins', async (_name, request) => {
  const ours = await replyTo(request, (res) => writeHeadWith(res, headerLines(HEADERS), BODY.length))
  const nodes = await replyTo(request, (res) => {
    res.writeHead(200, [...HEADERS, 'Content-Length', String(BODY.length)])
  })
  expect(ours).toContain('\r\nSet-Cookie: b=2\r\n')
  expect(ours).toBe(nodes)
})

it('a connection that closes after this reply says so', async () => {
  const reply = await replyTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (res) => {
    res.shouldKeepAlive = false
    writeHeadWith(res, headerLines(HEADERS), BODY.length)
  })
  expect(reply).toContain('\r\nConnection: close\r\n')
})

it.each([
  ['X-Split', 'a\r\nSet-Cookie: stolen=1'],
  ['X-Nul', 'a\0'],
  ['X Space', 'a'],
  ['X-Split\r\nSet-Cookie', 'a'],
])('a header that HTTP does not allow is refused: %j', (name, value) => {
  expect(() => headerLines([name, value])).toThrow(TypeError)
  expect(() => cachedHeaderLines([name, value])).toThrow(TypeError)
})

it('headers that were set before are not lost', async () => {
  const reply = await replyTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (res) => {
    res.setHeader('Set-Cookie', 'a=1')
    expect(() => writeHeadWith(res, '', BODY.length)).toThrow('headers were set before the head')
  })
  expect(reply).toContain('\r\nSet-Cookie: a=1\r\n')
})

it('a reply has one head', async () => {
  const reply = await replyTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (res) => {
    writeHeadWith(res, headerLines(['ETag', '"first"']), BODY.length)
    expect(() => writeHeadWith(res, headerLines(['ETag', '"second"']), 1)).toThrow('a head was written before')
  })
  expect(reply).toContain('ETag: "first"')
})
