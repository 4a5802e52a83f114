// Endpoints of the kinds `votifier2` and `votifier1` for their owners: what is accepted, shown and stored.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { createVotifierKeys } from '../../support/votifier-receiver.ts'
import { createWebhookWorld, type Owned } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const { call } = world
const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
const at = ({ id }: Owned, rest = '') => `/servers/${id}/endpoints${rest}`
const add = (owned: Owned, body: object) => call(owned.owner, 'POST', at(owned), body)

const publicKeyOf = (key: ReturnType<typeof createVotifierKeys>['publicKey']) =>
  key.export({ type: 'spki', format: 'der' }).toString('base64')
const { publicKey } = createVotifierKeys()
const V2 = { kind: 'votifier2', host: 'play.example', port: 8193, token: 'the-token-of-the-plugin' }
const V1 = { kind: 'votifier1', host: 'play.example', publicKey: publicKeyOf(publicKey) }

async function stored(id: unknown): Promise<{ url: string; secret: string }> {
  const { rows } = await pool.query<{ url: string; secret: string }>(
    'select url, secret from endpoints where id = $1',
    [id],
  )
  const [{ url, secret } = { url: '', secret: '' }] = rows
  return { url: secretCipher.decrypt('webhook-url', url), secret: secretCipher.decrypt('webhook', secret) }
}

describe('a Votifier endpoint', () => {
  it('gets votes, and never shows its token or key', async () => {
    const owned = await world.addServer()
    for (const [given, port, secret] of [
      [V2, 8193, V2.token],
      [V1, 8192, V1.publicKey],
    ] as const) {
      const { status, body } = await add(owned, given)
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(String),
        kind: given.kind,
        host: 'play.example',
        port,
        events: ['vote.created'],
        isActive: true,
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        previousSecretUntil: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      expect(await stored(body.id)).toEqual({ url: `votifier://play.example:${port}`, secret })
      expect((await call(owned.owner, 'GET', at(owned, `/${body.id}`))).body).toEqual(body)
      const refused = await call(owned.owner, 'POST', at(owned, `/${body.id}/rotate-secret`))
      expect(refused).toMatchObject({ status: 400, body: { error: 'secret_not_generated' } })
    }
    const { body } = await call(undefined, 'POST', `/servers/${owned.id}/vote`, { visitorId: 'a-visitor-of-both' })
    expect(body.webhookSent).toBe(true)
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).status).toBe(404)
  })

  it('keeps what a change does not name', async () => {
    const owned = await world.addServer()
    const { body } = await add(owned, V2)
    const change = (fields: object) => call(owned.owner, 'PATCH', at(owned, `/${body.id}`), fields)
    expect((await change({ port: 9000 })).body).toMatchObject({ host: 'play.example', port: 9000 })
    expect(await stored(body.id)).toEqual({ url: 'votifier://play.example:9000', secret: V2.token })
    expect((await change({ host: '2001:db8::7' })).body).toMatchObject({ host: '2001:db8::7', port: 9000 })
    expect((await change({ port: 9001 })).body).toMatchObject({ host: '2001:db8::7', port: 9001 })
    expect((await change({ port: 9000 })).status).toBe(200)
    const { rows: before } = await pool.query('select url from endpoints where id = $1', [body.id])
    await change({ token: 'another' })
    expect(await stored(body.id)).toEqual({ url: 'votifier://[2001:db8::7]:9000', secret: 'another' })
    // Attempts with the former token end.
    const { rows: after } = await pool.query('select url from endpoints where id = $1', [body.id])
    expect(after).not.toEqual(before)
    expect(await change({ url: 'https://owner.example/' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.url', message: 'is not a field of an endpoint of the kind votifier2' }] },
    })
  })

  it('needs its host again once that can’t be decrypted', async () => {
    const owned = await world.addServer()
    const { body } = await add(owned, V2)
    const former = createSecretCipher({
      APP_SECRET: 'a lost secret of 32 characters or more',
      APP_SECRET_PREVIOUS: undefined,
    })
    const lost = former.encrypt('webhook-url', 'votifier://play.example:8193')
    await pool.query('update endpoints set url = $2 where id = $1', [body.id, lost])
    const change = (fields: object) => call(owned.owner, 'PATCH', at(owned, `/${body.id}`), fields)
    expect(await change({ port: 9000 })).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: [{ path: 'body.host' }] },
    })
    expect(await change({ host: 'play.example' })).toMatchObject({
      status: 200,
      body: { host: 'play.example', port: 8192 },
    })
  })

  it('takes the key with the lines of PEM and line breaks', async () => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const { status, body } = await add(await world.addServer(), { ...V1, publicKey: pem })
    expect(status).toBe(201)
    expect((await stored(body.id)).secret).toBe(V1.publicKey)
  })

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  it.each([
    ['body.publicKey', 'is required', { ...V1, publicKey: undefined }],
    [
      'body.publicKey',
      expect.stringMatching(/^must be the text of the plugin’s public\.key/),
      { ...V1, publicKey: 'AAAA' },
    ],
    ['body.publicKey', expect.stringMatching(/^must be the text/), { ...V1, publicKey: 'not base64!' }],
    ['body.publicKey', 'must be an RSA key', { ...V1, publicKey: publicKeyOf(ec) }],
    ['body.publicKey', 'must be an RSA key of 2048 bits', { ...V1, publicKey: publicKeyOf(small) }],
    ['body.token', 'is required', { ...V2, token: undefined }],
    ['body.token', expect.any(String), { ...V2, token: '' }],
    ['body.host', 'is required', { ...V2, host: undefined }],
    ['body.host', 'must be a host name or an IP address', { ...V2, host: 'play.example:8192' }],
    ['body.host', 'must be a host name or an IP address', { ...V2, host: 'https://play.example' }],
    ['body.host', 'must be a host name or an IP address', { ...V2, host: 'user@play.example' }],
    ['body.port', 'must be a whole number from 1 to 65535', { ...V2, port: 0 }],
    ['body.port', 'must be a whole number from 1 to 65535', { ...V2, port: 65_536 }],
    ['body.port', 'must be a whole number from 1 to 65535', { ...V2, port: '8192' }],
  ])('is refused for %s: %s', async (path, message, body) => {
    expect(await add(await world.addServer(), body)).toMatchObject({
      status: 400,
      body: { details: [{ path, message }] },
    })
  })

  it('is refused with an internal address where private targets are not allowed', async () => {
    const strictApi = await startTestApi({ settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const strict = createWebhookWorld(strictApi)
    const owned = await strict.addServer({ ipAddress: 'game.example' })
    for (const host of ['127.0.0.1', '0x7f.1', '::1', '::ffff:10.0.0.1', 'localhost', '169.254.169.254'])
      expect(await strict.call(owned.owner, 'POST', at(owned), { ...V2, host })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.host', message: 'must be a public address' }] },
      })
  })
})
