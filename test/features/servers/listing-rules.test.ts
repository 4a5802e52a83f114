// A listing's fields: each rule, and the stored form of an address.
import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NewServer, type NewServerInput } from '../../../src/features/servers/index.ts'

const GOOD = { name: 'A server', ipAddress: '192.0.2.1', gamePort: 7777 }

const check = (fields: Record<string, unknown>) => NewServer.safeParse({ ...GOOD, ...fields } as NewServerInput)
const accept = (fields: Record<string, unknown>) => {
  const { error, data } = check(fields)
  if (error) throw error
  return data as Record<string, unknown>
}
const reasons = (fields: Record<string, unknown>) =>
  check(fields).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

test('name and address are required, and omitted fields are empty', () => {
  expect(NewServer.safeParse({}).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'name is required',
    'ipAddress is required',
  ])
  expect(accept({})).toEqual({
    ...GOOD,
    description: '',
    region: '',
    tags: [],
    website: '',
    chatUrl: '',
    bannerUrl: '',
    rates: '',
    mods: '',
    bedrockAddress: '',
    nameFromServer: false,
  })
})

test('accepted input is accepted again, unchanged', () => {
  const once = accept({
    tags: 'a, b',
    rates: 'XP : 2.50, harvest:3',
    mods: ' a , b',
    ipAddress: 'BÜCHER.example.',
    lastWipeAt: '2026-01-31T18:00:00+01:00',
  })
  expect(accept(once)).toEqual(once)
})

describe('address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1. ', '192.0.2.1'],
    ['Play.Example.COM.', 'play.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    [' [2001:db8::0001] ', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::1', '::1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['[::ffff:c000:201]', '192.0.2.1'],
    ['3com.example', '3com.example'],
  ])('%j is %j', (given, stored) => {
    expect(accept({ ipAddress: given }).ipAddress).toBe(stored)
  })

  test.each([
    '192.0.2.01',
    '192.0.2',
    '3221225985',
    '0x7f.1',
    '0x7f000001',
    '192.0.2.256',
    '192.0.2.1.1',
    'example.1',
    '１９２.0.2.1',
    '2001:db8::1::',
    '2001:db8::12345',
    '[2001:db8::1',
    '2001:db8::1]',
    '[[2001:db8::1]]',
    '[2001:db8::1]:27015',
    '[192.0.2.1]',
    '[example.com]',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '2001:db8::1/64',
    '192.0.2.1:27015',
    'http://example.com',
    'a..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a%2eb.example',
    'a b.example',
    'a\u200bb.example',
    'a\u0000.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    '.',
    '',
    'user@example.com',
    "x';drop.example",
  ])('%j is refused', (given) => {
    expect(reasons({ ipAddress: given })).toEqual(['ipAddress must be an IPv4 or IPv6 address or a DNS name'])
  })

  test('the stored form of any input is stable, lower-case ASCII', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6()),
        (given) => {
          const { data } = check({ ipAddress: given })
          if (!data) return
          expect(data.ipAddress).toMatch(/^[a-z0-9.-]{1,253}$|^[a-f0-9:]{2,39}$/)
          expect(accept({ ipAddress: data.ipAddress }).ipAddress).toBe(data.ipAddress)
        },
      ),
      { numRuns: 60 },
    )
    fc.assert(fc.property(fc.ipV4(), (address) => accept({ ipAddress: address }).ipAddress === address))
  })

  test('all forms of an IPv6 address are stored as sockets report it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const reported = new SocketAddress({ address, family: 'ipv6' }).address
        // These lead to IPv4, or look as if they did.
        fc.pre(!reported.includes('.'))
        for (const given of [address, address.toUpperCase(), `[${address}]`])
          expect(accept({ ipAddress: given }).ipAddress).toBe(reported)
      }),
    )
  })
})

describe('text', () => {
  test('a name is trimmed and composed, and has 3 to 100 characters', () => {
    expect(accept({ name: '  Cafe\u0301 ❤️ 日本 ' }).name).toBe('Café ❤️ 日本')
    expect(accept({ name: 'a'.repeat(100) }).name).toHaveLength(100)
    expect(reasons({ name: '  ab  ' })).toEqual(['name must have at least 3 characters'])
    expect(reasons({ name: 'a'.repeat(101) })).toEqual(['name must have at most 100 characters'])
    expect(reasons({ name: 7 })).toEqual(['name must be a string'])
  })

  test.each([
    ['a line break', '\n'],
    ['NUL', '\u0000'],
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a byte order mark', '\ufeff'],
    ['a line separator', '\u2028'],
    ['half of a surrogate pair', '\ud800'],
    ['a Hangul filler', '\u3164'],
  ])('%s is refused wherever text is one line', (_what, character) => {
    const text = `name${character}name`
    for (const field of ['name', 'region', 'mods'])
      expect(reasons({ [field]: text })).toEqual([
        `${field} must not contain control, bidirectional or zero-width characters`,
      ])
    expect(reasons({ tags: [text] })).toEqual([
      'tags.0 must not contain control, bidirectional or zero-width characters',
    ])
  })

  test('a description may have lines and tabs, up to 2000 characters', () => {
    expect(accept({ description: 'one\r\n\ttwo' }).description).toBe('one\r\n\ttwo')
    expect(reasons({ description: 'a'.repeat(2001) })).toEqual(['description must have at most 2000 characters'])
    expect(reasons({ description: 'a\u202eb' })).toHaveLength(1)
    expect(reasons({ description: 'a\u0000b' })).toHaveLength(1)
  })
})

test.each([0, -1, 65_536, 1.5, Number.NaN, '7777', null])('port %j is refused', (port) => {
  expect(reasons({ gamePort: port })).toHaveLength(1)
  expect(reasons({ queryPort: port })).toHaveLength(1)
})

test('a game is any type gamedig can query; a near miss gets a suggestion', () => {
  expect(accept({ game: 'protocol-valve' }).game).toBe('protocol-valve')
  expect(reasons({ game: 'arkse' })).toEqual([expect.stringContaining('did you mean ase (Ark: Survival Evolved), ')])
  expect(reasons({ game: 'ARK: Survival Evolved' })).toEqual([
    expect.stringMatching(/^game must be a gamedig type id; did you mean ase \(Ark: Survival Evolved\), .+, or .+\?$/),
  ])
  for (const game of ['constructor', '__proto__', 'protocol-', '']) expect(reasons({ game })).toHaveLength(1)
})

test('the game mode is one of three', () => {
  expect(accept({ gameMode: 'PvPvE' }).gameMode).toBe('PvPvE')
  expect(reasons({ gameMode: 'pvp' })).toEqual(['gameMode must be PvP, PvE or PvPvE'])
})

test('tags are a list or comma-separated, each once, up to 10 of up to 30 characters', () => {
  expect(accept({ tags: ' b ,,A, a,B' }).tags).toEqual(['b', 'A'])
  expect(accept({ tags: 'Café,cafe,CAFE\u0301,Straße,strasse' }).tags).toEqual(['Café', 'Straße'])
  expect(accept({ tags: [' x ', '', 'y'] }).tags).toEqual(['x', 'y'])
  expect(reasons({ tags: 'abcdefghijk'.split('') })).toEqual(['tags must have at most 10 tags'])
  expect(reasons({ tags: ['a'.repeat(31)] })).toEqual(['tags.0 must have at most 30 characters'])
  expect(reasons({ tags: ['a,b'] })).toEqual(['tags.0 must not contain a comma'])
  expect(reasons({ tags: 5 })).toHaveLength(1)
})

describe('web addresses', () => {
  test.each(['https://example.com', 'http://example.com:8080/a?b=c#d', 'HTTPS://EXAMPLE.COM/', ''])(
    '%j is kept',
    (url) => {
      for (const field of ['website', 'chatUrl', 'bannerUrl']) expect(accept({ [field]: url })[field]).toBe(url)
    },
  )

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'example.com',
    'https:example.com',
    'https:/\\example.com',
    'https://exa\nmple.com',
    'https://example.com/"onload="x',
    'https://example.com/<script>',
    'https://paypal.example@evil.example/',
    'https://',
    `https://example.com/${'a'.repeat(500)}`,
  ])('%j is refused', (url) => {
    for (const field of ['website', 'chatUrl', 'bannerUrl']) expect(reasons({ [field]: url })).toHaveLength(1)
  })
})

test('rates are pairs of name and number, in one form', () => {
  expect(accept({ rates: ' XP : 2.50 , harvest:3,' }).rates).toBe('xp:2.5,harvest:3')
  expect(accept({ rates: '' }).rates).toBe('')
  for (const rates of ['xp', 'xp:', 'xp:-1', 'xp:1e9', 'xp:Infinity', ':2', 'xp=2', 'xp:1:2', 'xp:0x10'])
    expect(reasons({ rates })).toEqual(['rates must be comma-separated pairs name:number, as xp:2,harvest:3.5'])
  expect(reasons({ rates: 'xp:1,XP:2' })).toEqual(['rates must name each rate only once'])
  const many = Array.from({ length: 31 }, (_, n) => `r${n}:1`).join(',')
  expect(reasons({ rates: many })).toEqual(['rates must have at most 30 rates'])
})

test('the last wipe is in the past', () => {
  expect(accept({ lastWipeAt: '2026-01-31T18:00:00+01:00' }).lastWipeAt).toEqual(new Date('2026-01-31T17:00:00Z'))
  for (const lastWipeAt of ['yesterday', '2026-01-31', '0000-01-01T00:00:00Z', '9999-01-01T00:00:00Z', 5])
    expect(reasons({ lastWipeAt })).toHaveLength(1)
})
