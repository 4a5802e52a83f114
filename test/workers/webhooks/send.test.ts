// One attempt against misbehaving receivers: it ends in time, stores little, and reports a short reason.
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSender } from '../../../workers/webhooks/send.ts'
import { createCertificate } from '../../support/certificate.ts'
import { isMissing } from '../../support/installed.ts'
import { startReceiver } from './support.ts'

const TIMEOUT_MS = 1_500

function openSender() {
  const sender = createSender({ allowPrivate: true, requireHttps: false, timeoutMs: TIMEOUT_MS })
  onTestFinished(() => sender.close())
  return sender
}

const post = (url: string, headers: Record<string, string> = {}) =>
  openSender().post({ url, headers, body: '{"type":"webhook.test"}' })

/** A TCP server that runs `serve` for each connection. @returns its URL */
async function startRaw(onConnection: (socket: Socket) => void, onRequest?: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    socket.once('data', () => onRequest?.(socket)).resume()
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, open: () => sockets.size }
}

/** Writes for as long as the connection lasts. */
function flood(socket: Socket, chunk: string): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.writable && socket.write(chunk), 20)
  socket.once('close', () => clearInterval(timer))
}

describe('an attempt', () => {
  it('posts the exact body with its headers, and keeps the first kilobyte of the answer as text', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(200).end(`\0\xff✓${'é'.repeat(1_000)}`))
    const answer = await post(`${receiver.url}/a%20b?q=%C3%A9#fragment`, { 'webhook-id': 'one' })
    expect(receiver.received[0]).toMatchObject({
      path: '/a%20b?q=%C3%A9',
      body: '{"type":"webhook.test"}',
      headers: { 'webhook-id': 'one', 'content-type': 'application/json', 'content-length': '23' },
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.response.slice(0, 4)).toBe('\uFFFDÿ✓é')
    expect(Buffer.byteLength(answer.response)).toBeLessThanOrEqual(1_026)
    expect(answer.response).not.toContain('\0')
    expect(answer.response.at(-1)).toBe('é')
    const bytes = await startRaw(
      () => undefined,
      (socket) => socket.end(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\na\xff\xfe', 'latin1')),
    )
    expect(await post(bytes.url)).toMatchObject({ status: 200, response: 'a\uFFFD\uFFFD' })
  })

  it('reuses its connection for the next attempt', async () => {
    const ports = new Set<number | undefined>()
    const receiver = await startReceiver((_, res) => {
      ports.add(res.socket?.remotePort)
      res.end()
    })
    const sender = openSender()
    for (let i = 0; i < 5; i++) await sender.post({ url: receiver.url, headers: {}, body: '{}' })
    expect(ports.size).toBe(1)
  })

  const silent: [string, (socket: Socket) => void, ((socket: Socket) => void)?][] = [
    ['never answers', () => undefined],
    [
      'drips its headers',
      () => undefined,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ')
        drip(socket, 'y')
      },
    ],
    [
      'sends interim responses without end',
      () => undefined,
      (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    ],
  ]
  it.each(silent)('to a receiver that %s ends in time', async (_, onConnection, onRequest) => {
    const { url, open } = await startRaw(onConnection, onRequest)
    const answer = await post(url)
    expect(answer.status).toBeUndefined()
    expect(answer.error).toBe('timeout')
    await expect.poll(open).toBe(0)
  })

  it('to a receiver with a slow TLS handshake ends in time', async () => {
    const { url, open } = await startRaw((socket) => drip(socket, '\x16'))
    const { error } = await post(url.replace('http:', 'https:'))
    expect(error).toMatch(/^(timeout|tls failed)$/)
    const mute = await startRaw(() => undefined)
    expect(await post(mute.url.replace('http:', 'https:'))).toMatchObject({ error: 'timeout' })
    await expect.poll(() => open() + mute.open()).toBe(0)
  })

  const endless: [string, string, (socket: Socket) => void][] = [
    ['streams', 'transfer-encoding: chunked', (socket) => flood(socket, `400\r\n${'x'.repeat(1_024)}\r\n`)],
    ['drips', 'transfer-encoding: chunked', (socket) => drip(socket, '1\r\nx\r\n')],
    ['promises', 'content-length: 99999999999', () => undefined],
  ]
  it.each(endless)(
    'takes the status of a receiver that %s its body without end, and closes the connection',
    async (_, header, write) => {
      const { url, open } = await startRaw(
        () => undefined,
        (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
          write(socket)
        },
      )
      const answer = await post(url)
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.response.length).toBeLessThanOrEqual(1_024)
      await expect.poll(open).toBe(0)
    },
  )

  it('to a receiver whose headers never end fails, and closes the connection', async () => {
    const { url, open } = await startRaw(
      () => undefined,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        flood(socket, `x-${'a'.repeat(50)}: ${'b'.repeat(200)}\r\n`)
      },
    )
    expect(await post(url)).toMatchObject({ error: 'response headers too long' })
    await expect.poll(open).toBe(0)
  })

  it('reports one of a few reasons', async () => {
    const closed = await startRaw((socket) => socket.destroy())
    expect(await post(closed.url)).toMatchObject({ error: 'connection closed' })
    const garbage = await startRaw(
      () => undefined,
      (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    )
    expect(await post(garbage.url)).toMatchObject({ error: 'malformed response' })
    const upgrade = await startRaw(
      () => undefined,
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    )
    expect((await post(upgrade.url)).error).toMatch(/^(connection closed|request failed|malformed response)$/)
    const gone = await startReceiver()
    const unused = gone.url.replace(String(gone.port), '1')
    expect(await post(unused)).toMatchObject({ error: 'connection refused' })
  })

  const noOpenssl = isMissing('openssl')
  it.skipIf(noOpenssl)('accepts no untrusted certificate, whatever the environment says', async () => {
    let requests = 0
    const server = createTlsServer(createCertificate(), (_, res) => {
      requests++
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    onTestFinished(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    })
    expect(await post(`https://localhost:${(server.address() as AddressInfo).port}/`)).toMatchObject({
      error: 'tls failed',
    })
    expect(requests).toBe(0)
  })
})
