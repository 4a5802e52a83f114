// A browser with its push service on a real socket, written from RFC 8030, 8291 and 8292, not from our sender: it
// checks who sends, and decrypts what arrives.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { atFileEnd } from './at-file-end.ts'

export interface ReceivedPush {
  /** Of the path: which browser. */
  browser: string
  payload: Record<string, string>
  topic: string | undefined
  /** The directory's key, by which the browser subscribed. */
  sentBy: string
  /** The token's claims. */
  claims: { aud: string; exp: number; sub: string }
}

export interface PushService {
  origin: string
  received: ReceivedPush[]
  /** What it answers from now on; 201 by default. */
  status: number
  /** A subscription of a new browser, as `PushSubscription.toJSON()` returns it. */
  subscribe(): { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } }
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>()
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    if (service.status === 201) service.received.push(read(req, Buffer.concat(chunks)))
    res.writeHead(service.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const service: PushService = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    status: 201,
    subscribe() {
      const [id, auth, ecdh] = [randomBytes(12).toString('hex'), randomBytes(16), createECDH('prime256v1')]
      const p256dh = ecdh.generateKeys('base64url')
      browsers.set(id, { ecdh, auth })
      const keys = { p256dh, auth: auth.toString('base64url') }
      return { endpoint: `${service.origin}/push/${id}`, expirationTime: null, keys }
    },
  }

  function read({ url = '', headers }: IncomingMessage, body: Buffer): ReceivedPush {
    const id = url.split('/').at(-1) ?? ''
    const browser = browsers.get(id)
    if (!browser) throw new Error(`no browser has the subscription ${url}`)
    if (headers['content-encoding'] !== 'aes128gcm' || !(Number(headers.ttl) > 0))
      throw new Error('headers of RFC 8030')
    const { key, claims } = verifyVapid(headers.authorization ?? '', service.origin)
    const payload = JSON.parse(decrypt(browser, body)) as Record<string, string>
    return { browser: id, payload, topic: headers.topic as string | undefined, sentBy: key, claims }
  }
  return service
}

/**
 * Hands a message to the service worker of the page's site, as the browser does with what its push service delivers.
 */
export async function deliverPush(page: Page, origin: string, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { promise: known, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
    if (first) resolve(first.registrationId)
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await known, data })
}

/** RFC 8292: an ES256 token by the key that the header names. */
function verifyVapid(authorization: string, audience: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
  const [header = '', body = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as ReceivedPush['claims']
  const now = Date.now() / 1000
  if (!isSigned || claims.aud !== audience || claims.exp < now || claims.exp > now + 86_400)
    throw new Error('VAPID token')
  return { key, claims }
}

/** RFC 8291 §3.4 and RFC 8188: one record. */
function decrypt({ ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer }, body: Buffer): string {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)]
  const senderKey = body.subarray(21, 21 + idLength)
  const ciphertext = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey])
  const ikm = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${label}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(ciphertext.subarray(-16))
  const padded = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('padding of RFC 8188')
  return padded.subarray(0, end).toString()
}
