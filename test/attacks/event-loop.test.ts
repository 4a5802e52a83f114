// Requests of the largest size that is accepted, each shaped to keep the API's event loop busy: while it is, no other
// client is answered. How long others wait is compared with a harmless request of the same size.
import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { atFileEnd } from '../support/at-file-end.ts'
import { registerAt, startProduct } from '../support/started-product.ts'

/** Of the longest wait of others to that under a harmless request; before there were bounds it was up to 500. */
const MAX_RATIO = 4
/** Shorter waits are the machine's. */
const MIN_WAIT_MS = 10
/** Code that runs for the first time and a busy machine delay others too: what always takes long fails each round. */
const MAX_ROUNDS = 20
const BODY_BYTES = 64 * 1024
/** Of the address or a header, so that all of them stay below 16 kB. */
const HEAD_BYTES = 15_000
/** The OpenAPI document has 610 kB, with examples. */
const MAX_REPLY_BYTES = 700_000

/** What is tried, and a harmless request of the same size. */
type Attack = [name: string, hostile: Attempt, harmless: Attempt]

interface Attempt {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string
}

const product = await startProduct({ RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0' })
const { port } = new URL(product.url)
const agent = new Agent({ keepAlive: true })
atFileEnd(() => void agent.destroy())
const { client } = await registerAt(product)
const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const send = ({ method = 'GET', path, headers = {}, body }: Attempt) =>
  new Promise<{ status: number; bytes: number }>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    request({ port, agent, method, path, headers: { ...length, ...headers } }, (reply) => {
      let bytes = 0
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      const status = reply.statusCode ?? 0
      reply.on('end', () => resolve({ status, bytes }))
      if (reply.headers['content-type']?.startsWith('text/event-stream')) {
        resolve({ status, bytes })
        reply.destroy() // it has no end
      }
      reply.on('error', reject)
    })
      .on('error', reject)
      .end(body)
  })

/** The longest that a probe on another connection waits while the request is handled, in milliseconds. */
async function longestWait(attempt: Attempt) {
  let isAnswered = false
  const answered = send(attempt).finally(() => {
    isAnswered = true
  })
  let ms = 0
  while (!isAnswered) {
    const from = performance.now()
    await send({ path: '/healthz' })
    ms = Math.max(ms, performance.now() - from)
  }
  return { ...(await answered), ms }
}

/** Distinct pieces, as many as fit. @param make of the piece's number */
function fill(bytes: number, separator: string, make: (n: string) => string): string {
  const pieces: string[] = []
  for (let length = 0, n = 0; ; n++) {
    const piece = make(n.toString(36))
    length += piece.length + separator.length
    if (length > bytes) return pieces.join(separator)
    pieces.push(piece)
  }
}

const form = (path: string, body: string, more = {}): Attempt => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
  body,
})
const json = (path: string, body: string, more = {}): Attempt => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...more },
  body,
})
const get = (path: string, headers: Attempt['headers'] = {}): Attempt => ({ path, headers })

const names = fill(BODY_BYTES, '&', (n) => n)
const oneField = `a=${'x'.repeat(BODY_BYTES - 2)}`
const query = fill(HEAD_BYTES, '&', (n) => n)
const list = (bytes: number, make: (n: string) => string = (n) => n) => fill(bytes, ',', make)
const text = 'x'.repeat(HEAD_BYTES)
const quiet = JSON.stringify({ name: 'x'.repeat(BODY_BYTES - 20) })
const member = { cookie }
const server = '/api/servers'
const uuid = crypto.randomUUID()

const ATTEMPTS: Attack[] = [
  ...['/logout', '/login', '/register', `/servers/${uuid}`].map(
    (path): Attack => [`64 kB of distinct names to the form ${path}`, form(path, names), form(path, oneField)],
  ),
  ['one name 32,000 times', form('/logout', 'a&'.repeat(BODY_BYTES / 2)), form('/logout', oneField)],
  [
    'escaped names',
    form(
      '/logout',
      fill(BODY_BYTES, '&', (n) => `%${n.charCodeAt(0).toString(16)}${n}`),
    ),
    form('/logout', oneField),
  ],
  ['a form of plus signs', form('/logout', `a=${'+'.repeat(BODY_BYTES - 2)}`), form('/logout', oneField)],
  ['fields of a signed-in person', form('/my/servers/new', names, member), form('/my/servers/new', oneField, member)],
  ...[
    '/',
    '/compare',
    `/servers/${uuid}`,
    '/api/servers',
    '/api/servers/facets',
    '/api/servers/suggestions',
    '/api/public/servers',
    '/api/servers/stream',
    '/api/games',
    '/api/auctions',
    '/login',
    '/nothing',
  ].map((path): Attack => [`thousands of parameters of ${path}`, get(`${path}?${query}`), get(`${path}?a=${text}`)]),
  ['a parameter’s name of 15 kB', get(`/api/servers?${text}=1`), get(`/api/servers?a=${text}`)],
  [
    'a position in a header',
    get('/api/servers/stream', { 'last-event-id': `abcdefgh.${'1-'.repeat(HEAD_BYTES / 2)}` }),
    get('/api/servers/stream', { 'last-event-id': text }),
  ],
  [
    'one parameter thousands of times',
    get(`/api/servers?${'limit=1&'.repeat(HEAD_BYTES / 8)}`),
    get(`/api/servers?a=${text}`),
  ],
  ['one parameter of a page thousands of times', get(`/?${'tags=a&'.repeat(HEAD_BYTES / 7)}`), get(`/?a=${text}`)],
  ['escapes in an address', get(`/api/servers?a=${'%41'.repeat(HEAD_BYTES / 3)}`), get(`/api/servers?a=${text}`)],
  ['a NUL at the end of many parameters', get(`/api/servers?${query}%00`), get(`/api/servers?a=${text}`)],
  ['question marks', get(`/api/servers?${'?'.repeat(HEAD_BYTES)}%00`), get(`/api/servers?a=${text}`)],
  ['slashes', get('/'.repeat(HEAD_BYTES)), get(`/${text}`)],
  ['short segments', get('/a'.repeat(HEAD_BYTES / 2)), get(`/${text}`)],
  ['segments below /api/servers', get(`/api/servers${'/a'.repeat(HEAD_BYTES / 2)}`), get(`/api/servers/${text}`)],
  ['segments of an asset', get(`/assets/x${'/..'.repeat(HEAD_BYTES / 3)}`), get(`/assets/x/${text}`)],
  ['escapes in a path', get(`/api/servers/${'%2f'.repeat(HEAD_BYTES / 3)}`), get(`/api/servers/${text}`)],
  ...['fields', 'tags', 'game', 'country', 'q', 'search', 'map', 'cursor', 'sortBy', 'minMultiplier'].map(
    (name): Attack => [
      `a list of thousands in ${name}=`,
      get(`/api/servers?${name}=${list(HEAD_BYTES)}`),
      get(`/api/servers?a=${text}`),
    ],
  ),
  ...['ids', 'find'].map(
    (name): Attack => [
      `a list of thousands in ${name}= of /compare`,
      get(`/compare?${name}=${list(HEAD_BYTES)}`),
      get(`/compare?a=${text}`),
    ],
  ),
  [
    'a list of thousands in ids= of the stream',
    get(`/api/servers/stream?ids=${list(HEAD_BYTES)}`),
    get(`/api/servers/stream?a=${text}`, {}),
  ],
  [
    'a cursor of many numbers',
    get(`/api/servers/changes?cursor=${'abcdefgh.'}${'1-'.repeat(1990)}`),
    get(`/api/servers/changes?a=${'x'.repeat(3990)}`),
  ],
  ['a page’s list that is longer than the API takes', get(`/?tags=${list(HEAD_BYTES)}`), get(`/?a=${text}`)],
  [
    'entity tags',
    get('/api/public/stats', { 'if-none-match': list(HEAD_BYTES, (n) => `W/"${n}"`) }),
    get('/api/public/stats', { 'if-none-match': `"${text}"` }),
  ],
  [
    'commas in If-None-Match',
    get('/api/public/stats', { 'if-none-match': ','.repeat(HEAD_BYTES) }),
    get('/api/public/stats', { 'if-none-match': `"${text}"` }),
  ],
  [
    'content codings',
    get('/api/openapi.json', { 'accept-encoding': list(HEAD_BYTES, (n) => `${n};q=0.1`) }),
    get('/api/openapi.json', { 'accept-encoding': text }),
  ],
  [
    'asterisks in Accept-Encoding',
    get('/api/openapi.json', { 'accept-encoding': '*,'.repeat(HEAD_BYTES / 2) }),
    get('/api/openapi.json', { 'accept-encoding': text }),
  ],
  [
    'content codings of a reply made now',
    get('/api/servers/facets', { 'accept-encoding': list(HEAD_BYTES) }),
    get('/api/servers/facets', { 'accept-encoding': text }),
  ],
  ['media types', get('/nothing', { accept: list(HEAD_BYTES, (n) => `${n}/*`) }), get('/nothing', { accept: text })],
  [
    'open quotes in Accept',
    get('/nothing', { accept: `"${','.repeat(HEAD_BYTES)}` }),
    get('/nothing', { accept: text }),
  ],
  [
    'quotes in Accept',
    get('/nothing', { accept: `${'a/b;c=",",'.repeat(HEAD_BYTES / 10)}` }),
    get('/nothing', { accept: text }),
  ],
  [
    'semicolons in Accept',
    get('/nothing', { accept: `a/b${';"'.repeat(HEAD_BYTES / 2)}` }),
    get('/nothing', { accept: text }),
  ],
  [
    'spaces in Accept-Encoding',
    get('/api/openapi.json', { 'accept-encoding': `a${' '.repeat(HEAD_BYTES)}b` }),
    get('/api/openapi.json', { 'accept-encoding': text }),
  ],
  [
    'languages',
    get('/', { 'accept-language': list(HEAD_BYTES, (n) => `${n};q=0.1`) }),
    get('/', { 'accept-language': text }),
  ],
  [
    'cookies',
    get('/account', { cookie: fill(HEAD_BYTES, '; ', (n) => `${n}=1`) }),
    get('/account', { cookie: `a=${text}` }),
  ],
  [
    'cookies of one name',
    get('/account', { cookie: 'session=a; '.repeat(HEAD_BYTES / 11) }),
    get('/account', { cookie: `a=${text}` }),
  ],
  [
    'sessions',
    get('/api/user/profile', { cookie: fill(HEAD_BYTES, '; ', (n) => `session=${n.padStart(43, 'a')}`) }),
    get('/api/user/profile', { cookie: `a=${text}` }),
  ],
  [
    'ids of a visitor',
    form(`/servers/${uuid}`, 'action=vote', {
      cookie: fill(HEAD_BYTES, '; ', (n) => `visitor=${uuid}.${n.padStart(43, 'a')}`),
    }),
    form(`/servers/${uuid}`, 'action=vote', { cookie: `a=${text}` }),
  ],
  [
    'spaces in cookies',
    get('/account', { cookie: `a;${' '.repeat(HEAD_BYTES)}b` }),
    get('/account', { cookie: `a=${text}` }),
  ],
  [
    'headers',
    get('/api/public/stats', Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`h${n.toString(36)}`, '']))),
    get('/api/public/stats', { a: text }),
  ],
  [
    'one header thousands of times',
    get('/api/public/stats', { 'x-a': Array<string>(1_500).fill('a') }),
    get('/api/public/stats', { a: text }),
  ],
  [
    'forwarded addresses',
    get('/api/public/stats', { 'x-forwarded-for': ','.repeat(HEAD_BYTES) }),
    get('/api/public/stats', { 'x-forwarded-for': '192.0.2.1' }),
  ],
  [
    'a forwarded address of groups',
    get('/api/public/stats', { 'x-forwarded-for': 'a:'.repeat(HEAD_BYTES / 2) }),
    get('/api/public/stats', { 'x-forwarded-for': text }),
  ],
  [
    'a forwarded address of digits',
    get('/api/public/stats', { 'x-forwarded-for': '1'.repeat(HEAD_BYTES) }),
    get('/api/public/stats', { 'x-forwarded-for': text }),
  ],
  [
    'a forwarded address of colons',
    get('/api/public/stats', { 'x-forwarded-for': `${'::1'.repeat(HEAD_BYTES / 3)}` }),
    get('/api/public/stats', { 'x-forwarded-for': text }),
  ],
  [
    'a content type of parameters',
    json('/api/contact', '{}', { 'content-type': `application/json${';a=b'.repeat(HEAD_BYTES / 4)}` }),
    json('/api/contact', '{}', { 'content-type': `application/json;a=${text}` }),
  ],
  [
    'a content type of spaces',
    json('/api/contact', '{}', { 'content-type': `application/json;${' '.repeat(HEAD_BYTES)}x` }),
    json('/api/contact', '{}', { 'content-type': `application/json;a=${text}` }),
  ],
  [
    'a content type of open parameters',
    json('/api/contact', '{}', { 'content-type': `application/json${'; charset'.repeat(HEAD_BYTES / 9)}` }),
    json('/api/contact', '{}', { 'content-type': `application/json;a=${text}` }),
  ],
  [
    'an authorization of spaces',
    get('/api/public/stats', { authorization: `Bearer${' '.repeat(HEAD_BYTES)}x` }),
    get('/api/public/stats', { authorization: text }),
  ],
  [
    'a signature of parts',
    json('/api/billing/webhook', '{}', { 'stripe-signature': list(HEAD_BYTES, (n) => `v1=${n}`) }),
    json('/api/billing/webhook', '{}', { 'stripe-signature': text }),
  ],
  [
    'an object of distinct names',
    json('/api/contact', `{${fill(BODY_BYTES - 2, ',', (n) => `"${n}":1`)}}`),
    json('/api/contact', quiet),
  ],
  ['a name of 64 kB', json('/api/contact', `{"${'x'.repeat(BODY_BYTES - 20)}":1}`), json('/api/contact', quiet)],
  [
    'an object of one name',
    json('/api/contact', `{${'"a":1,'.repeat(BODY_BYTES / 6 - 2)}"b":1}`),
    json('/api/contact', quiet),
  ],
  [
    'ids that are no text',
    json(`${server}/lookup`, `{"ids":[${'1,'.repeat(BODY_BYTES / 2 - 10)}1]}`),
    json(`${server}/lookup`, quiet),
  ],
  [
    'addresses that are none',
    json(`${server}/lookup`, `{"addresses":[${'"",'.repeat(BODY_BYTES / 3 - 10)}""]}`),
    json(`${server}/lookup`, quiet),
  ],
  [
    'one long address',
    json(`${server}/lookup`, JSON.stringify({ addresses: ['a'.repeat(BODY_BYTES - 40)] })),
    json(`${server}/lookup`, quiet),
  ],
  ['nested lists', json('/api/contact', `[${'[[[[1]]]],'.repeat(BODY_BYTES / 10 - 2)}1]`), json('/api/contact', quiet)],
  [
    'numbers of many digits',
    json('/api/contact', `{"name":${'9'.repeat(BODY_BYTES - 20)}}`),
    json('/api/contact', quiet),
  ],
  ...[' ', '\\u0000', '\\ud800', 'a@', '.', 'é', '\\u0301', '🦖', '@a.', '-', ','].map((part): Attack => {
    const value = part.repeat(Math.floor((BODY_BYTES - 200) / Buffer.byteLength(part) / 4))
    const body = (fields: Record<string, string>) =>
      `{${Object.entries(fields)
        .map(([name, text]) => `"${name}":"${text}"`)
        .join(',')}}`
    const long = { name: `x${value}x`, email: `x${value}x`, subject: `x${value}x`, message: `x${value}x` }
    return [`a message of “${part}”`, json('/api/contact', body(long)), json('/api/contact', quiet)]
  }),
  ...[' ', '.', 'a.', 'a:1,', '1', ':', ',', '-', '\\u0301', 'xn--', 'localhost.', '0x', 'é'].map((part): Attack => {
    const value = (share: number) => part.repeat(Math.floor((BODY_BYTES - 300) / Buffer.byteLength(part) / share))
    const long = `{"name":"x${value(6)}x","ipAddress":"x${value(6)}x","gamePort":1,"rates":"x${value(6)}x","tags":"x${value(6)}x","website":"http://x${value(6)}x","mods":"x${value(6)}x"}`
    return [`a listing of “${part}”`, json(server, long, member), json(server, quiet, member)]
  }),
  [
    'a listing with one long rate',
    json(server, JSON.stringify({ name: 'x', rates: `${'a '.repeat(15)}${' '.repeat(BODY_BYTES - 200)}x` }), member),
    json(server, quiet, member),
  ],
  [
    'tags',
    json(
      server,
      `{"name":"abc","ipAddress":"198.18.0.1","gamePort":1,"tags":[${fill(BODY_BYTES - 100, ',', (n) => `"${n}"`)}]}`,
      member,
    ),
    json(server, quiet, member),
  ],
  [
    'tags that are no text',
    json(
      server,
      `{"name":"abc","ipAddress":"198.18.0.1","gamePort":1,"tags":[${'1,'.repeat(BODY_BYTES / 2 - 60)}1]}`,
      member,
    ),
    json(server, quiet, member),
  ],
  [
    'an unknown game',
    json(
      server,
      JSON.stringify({ name: 'abc', ipAddress: '198.18.0.1', gamePort: 1, game: 'a'.repeat(BODY_BYTES - 100) }),
      member,
    ),
    json(server, quiet, member),
  ],
  [
    'unknown fields of a change',
    { ...json('/api/user/profile', `{${fill(BODY_BYTES - 2, ',', (n) => `"${n}":1`)}}`, member), method: 'PATCH' },
    { ...json('/api/user/profile', quiet, member), method: 'PATCH' },
  ],
  [
    'ids of notifications',
    json('/api/user/notifications/read', `{"ids":[${'1,'.repeat(BODY_BYTES / 2 - 10)}1]}`, member),
    json('/api/user/notifications/read', quiet, member),
  ],
  [
    'a long password',
    json(
      '/api/auth/register',
      JSON.stringify({ email: 'a@b.example', username: 'abc', password: 'ab1'.repeat(BODY_BYTES / 3 - 40) }),
    ),
    json('/api/auth/register', quiet),
  ],
  [
    'a password of no letters',
    json('/api/auth/register', JSON.stringify({ email: 'a@b.example', username: 'abc', password: '1!'.repeat(64) })),
    json('/api/auth/register', quiet),
  ],
  [
    'an e-mail address of dots',
    json('/api/auth/login', JSON.stringify({ email: `${'a.'.repeat(BODY_BYTES / 2 - 40)}@b`, password: 'x' })),
    json('/api/auth/login', quiet),
  ],
  [
    'a vote of a long visitor',
    json(`${server}/${uuid}/vote`, JSON.stringify({ visitorId: 'x'.repeat(BODY_BYTES - 40) })),
    json(`${server}/${uuid}/vote`, quiet),
  ],
  [
    'a vote with a long proof',
    json(`${server}/${uuid}/vote`, JSON.stringify({ visitorId: 'x'.repeat(20), proof: 'x'.repeat(BODY_BYTES - 100) })),
    json(`${server}/${uuid}/vote`, quiet),
  ],
]

it.each(ATTEMPTS)('%s', async (name, hostile, harmless) => {
  const rounds: string[] = []
  let isHarmless = false
  while (!isHarmless && rounds.length < MAX_ROUNDS) {
    const usual = await longestWait(harmless)
    const { status, bytes, ms } = await longestWait(hostile)
    expect(status).toBeLessThan(500)
    expect(bytes).toBeLessThan(MAX_REPLY_BYTES)
    rounds.push(`${ms.toFixed(1)} ms, usually ${usual.ms.toFixed(1)} ms`)
    isHarmless = ms <= MAX_RATIO * Math.max(usual.ms, MIN_WAIT_MS)
  }
  console.log(`${name}: others wait ${rounds.at(-1)} (round ${rounds.length})`)
  expect(isHarmless, rounds.join('\n')).toBe(true)
})
