// Invalid account fields are refused. The limits come from the served document, so that none is forgotten.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeEmail } from '../../../src/platform/email-address.ts'
import { startTestApi } from '../../support/api.ts'
import { addAccount, createVisitor, PASSWORD } from './support.ts'

const api = await startTestApi()
const visitor = createVisitor(api)
await visitor.login((await addAccount(api)).email)

interface Field {
  type?: string
  minLength?: number
  maxLength?: number
}
interface BodySchema {
  properties: Record<string, Field>
  required?: string[]
}

/** A valid body for each operation. */
const BODIES: Record<string, Record<string, unknown>> = {
  'POST /auth/register': { email: 'fields@example.com', password: PASSWORD, username: 'Someone' },
  'POST /auth/login': { email: 'unknown@example.com', password: PASSWORD },
  'POST /auth/verify-email': { token: 'x' },
  'POST /auth/password-reset': { email: 'unknown@example.com' },
  'POST /auth/password-reset/confirm': { token: 'x', password: PASSWORD },
  'POST /user/password': { currentPassword: PASSWORD, newPassword: PASSWORD },
  'DELETE /user': { password: 'not the password' },
  'PATCH /user/profile': { username: 'Someone', avatarUrl: '' },
  'PATCH /user/notification-preferences': { email: true, chat: true, events: {} },
}
const operations = Object.entries(BODIES).map(([operation, body]) => {
  const [method = '', path = ''] = operation.split(' ')
  return { operation, method, path, body, schema: bodySchema(method, path) }
})
const fields = operations.flatMap(({ schema, ...operation }) =>
  Object.entries(schema.properties).map(([field, rule]) => ({
    ...operation,
    field,
    rule,
    isRequired: schema.required?.includes(field) ?? false,
  })),
)

function bodySchema(method: string, path: string): BodySchema {
  const { document } = api.contract
  const operation = document.paths[path]?.[method.toLowerCase()] as unknown as {
    requestBody: { content: { 'application/json': { schema: BodySchema & { $ref?: string } } } }
  }
  const { schema } = operation.requestBody.content['application/json']
  const name = schema.$ref?.split('/').at(-1)
  return name ? (document.components.schemas[name] as BodySchema) : schema
}

/** Sends the body with this value in one field. */
const sendWith = ({ method, path, body, field }: (typeof fields)[number], value: unknown) =>
  visitor.send(method, path, { ...body, [field]: value })

const refusal = (field: string) => ({
  status: 400,
  body: {
    error: 'validation_failed',
    details: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(`body.${field}`) })]),
  },
})

test('every operation of accounts with a body is in this test', () => {
  const taking = Object.entries(api.contract.document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => 'requestBody' in operation)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const ours = taking.filter((name) =>
    /^\w+ (\/auth\/(?!second-step)|\/user(\/(profile|password|notification-preferences))?$)/.test(name),
  )
  expect(ours.sort()).toEqual(Object.keys(BODIES).sort())
})

describe('each field refuses', () => {
  test.each(fields)('a value of another type: $operation $field', async (operation) => {
    const { field, rule } = operation
    const wrong: unknown[] = [null, 1, [], ['a'], { toString: 'x' }, rule.type === 'boolean' ? 'true' : true]
    if (rule.type !== 'object') wrong.push({})
    for (const value of wrong) expect([value, await sendWith(operation, value)]).toMatchObject([value, refusal(field)])
  })

  test.each(fields.filter(({ isRequired }) => isRequired))('a missing value: $operation $field', async (operation) => {
    const { status, body } = await sendWith(operation, undefined)
    expect([status, body.details]).toEqual([400, [{ path: `body.${operation.field}`, message: 'is required' }]])
  })

  test.each(fields.filter(({ rule }) => rule.type === 'string'))(
    'a value that is too long: $operation $field',
    async (operation) => {
      const { field, rule } = operation
      const { maxLength = 0 } = rule
      expect(maxLength).toBeGreaterThan(0)
      expect(await sendWith(operation, 'a'.repeat(maxLength + 1))).toMatchObject(refusal(field))
      expect(await sendWith(operation, '\u{1F600}'.repeat(30_000).slice(0, 15_000))).toMatchObject(refusal(field))
    },
  )

  test.each(fields.filter(({ rule }) => rule.minLength))(
    'a value that is too short: $operation $field',
    async (operation) => {
      const { field, rule } = operation
      expect(await sendWith(operation, 'ä'.repeat((rule.minLength ?? 0) - 1))).toMatchObject(refusal(field))
    },
  )
})

test.each([
  ['a control character', 'Cap\u0007tain'],
  ['a line break', 'Cap\ntain'],
  ['a right-to-left override', 'Cap\u202etain'],
  ['a bidirectional isolate', 'Cap\u2066tain'],
  ['a zero-width space', 'Cap\u200btain'],
  ['a zero-width joiner', 'Cap\u200dtain'],
  ['a soft hyphen', 'Cap\u00adtain'],
  ['half a surrogate pair', 'Cap\ud800tain'],
  ['a Hangul filler', 'Cap\u3164tain'],
  ['nothing but spaces', '     '],
])('a name with %s is refused', async (_, username) => {
  const change = await visitor.send('PATCH', '/user/profile', { username })
  expect(change).toMatchObject(refusal('username'))
  const register = await visitor.post('/auth/register', { email: 'n@example.com', password: PASSWORD, username })
  expect(register).toMatchObject(refusal('username'))
})

test.each([
  ['@example.com', 'a@', 'a', 'a@b', 'a@b..example', 'a@-b.example', 'a@b.1', 'a@[192.0.2.1]', 'a@192.0.2.1'],
  ['a b@example.com', 'a@exa mple.com', 'a@b@example.com', '.a@example.com', 'a.@example.com', 'a..b@example.com'],
  [
    '"a"@example.com',
    'a@example.com\n',
    'a\u200b@example.com',
    'a@ex\u202eample.com',
    'ä@example.com',
    'a@ex%61mple.com',
  ],
  [`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.example`, `a@${'b.'.repeat(130)}example`, 'a,b@example.com'],
])('an invalid e-mail address is refused: %s %s %s …', async (...addresses) => {
  for (const email of addresses) {
    const { status, body } = await visitor.post('/auth/register', { email, password: PASSWORD, username: 'Someone' })
    if (email.endsWith('\n')) continue // only trimmed
    expect([email, status, body.error]).toEqual([email, 400, 'validation_failed'])
  }
})

test('an address is stored in one notation', () => {
  expect(normalizeEmail(" O'Brien+List@Example.COM ")).toBe("o'brien+list@example.com")
  expect(normalizeEmail('a@BÜCHER.example')).toBe('a@xn--bcher-kva.example')
  expect(normalizeEmail('a@почта.рф')).toBe('a@xn--80a1acny.xn--p1ai')
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      const once = normalizeEmail(address)
      if (once === undefined) return
      expect(normalizeEmail(once)).toBe(once)
      expect(normalizeEmail(address.toUpperCase())).toBe(once)
      expect(once).toBe(once.toLowerCase())
      expect(once.length).toBeLessThanOrEqual(254)
    }),
  )
})

test.each([
  'javascript:alert(1)',
  'data:image/png;base64,x',
  '//x.example/a',
  'https://user@x.example/',
  'https://',
  'https://x.example/ a',
  'https://x.example/\u202e',
  'ftp://x.example/a',
])('a picture at %s is refused', async (avatarUrl) =>
  expect(await visitor.send('PATCH', '/user/profile', { avatarUrl })).toMatchObject(refusal('avatarUrl')),
)

test('a password may contain any character, and its length is counted in characters', async () => {
  const passwords = [
    '🎲🧭⚓🗺️🏝️🦜⛵',
    `${'αβγδεζηθικλμνξοπρστυφχψω'.repeat(5)}12345678`,
    ' leading and trailing ',
    'tab\tand\u200bmore',
  ]
  for (const [n, password] of passwords.entries()) {
    const email = `characters${n}@example.com`
    const register = await createVisitor(api).post('/auth/register', { email, password, username: 'Someone' })
    expect([password, register.status]).toEqual([password, 201])
    expect((await createVisitor(api).login(email, password)).status).toBe(200)
  }
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.emailAddress(),
  fc.webUrl(),
  fc.constantFrom('', ' ', '\u202e', '\ud800', '__proto__', "' or 1=1 --", 'a'.repeat(20_000)),
)

test.each(operations)('no body makes $operation answer 500', async ({ method, path, schema }) => {
  const value = fc.oneof(text, text, fc.jsonValue({ maxDepth: 3 }))
  const shaped = fc.record(Object.fromEntries(Object.keys(schema.properties).map((field) => [field, value])), {
    requiredKeys: [],
  })
  const body = fc.oneof({ weight: 4, arbitrary: shaped }, fc.jsonValue({ maxDepth: 2 }))
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      // The test API checks that the status is documented.
      const { status } = await visitor.send(method, path, sent)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 80 },
  )
})
