// Values that often break programs.
import fc from 'fast-check'

declare global {
  // Node has them, TypeScript does not know them yet.
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\udc00\ud800',
  '\u202etxt.exe',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\ufffe\uffff',
  'e\u0301',
  '\u0958',
  '\ufb2c',
  '\u0301'.repeat(300),
  'İıſKß',
  'ﷺ',
  '👨‍👩‍👧‍👦',
  '🏴‍☠️',
  '𝒜',
  '𝒜'.repeat(300),
  'سيرفر العرب',
  '字'.repeat(5_000),
  'a'.repeat(10_000),
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e308',
  '1e-7',
  '0x10',
  '007',
  '+5',
  '9007199254740993',
  '99999999999999999999',
  '0.30000000000000004',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../etc/passwd',
  '..%2f..',
  '%00',
  '%',
  '%ff',
  '$1',
  '\\',
  '\\u0000',
  '"',
  `'; drop table servers; --`,
  '_%_%',
  '(a+)+$',
  '{{7*7}}#{7*7}',
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: a=b',
  'a\tb\nc',
  '\u001b[31m',
  ',',
  ',,,',
  ':',
  'a:1,a:2',
  'xp:1e9',
  'http://[::1',
  'http://a b',
  'javascript:alert(1)',
  'https://user:pass@example.com/',
  'http://169.254.169.254/latest',
  'https://example.com:0/',
  'https://ex\u00e4mple.com/\u202e',
  'a@b@c',
  '"a b"@example.com',
  'a@[127.0.0.1]',
  '0',
  '-1',
  '1',
  '0000-00-00T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999999999Z',
  '2023-02-29T00:00:00.000Z',
  '2026-12-31T23:59:60.000Z',
  '2026-06-01T12:00:00.000+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-23:59',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
  '{00000000-0000-7000-8000-000000000000}',
  'djA',
  'djE',
  'MTox',
  '9999-12',
  '0000-01',
]

export const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
)

/** Numbers as JSON allows them and `JSON.stringify` does not write them. */
const ODD_SPELLINGS = ['-0', '1E+2', '1e400', '1.0', '12345678901234567890'].map((text) => JSON.rawJSON(text))
const ODD_NUMBERS = [
  0,
  -1,
  0.5,
  1e-320,
  1e308,
  -1e308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e21,
  65_536,
]
export const oddNumber = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double(), fc.maxSafeInteger())

/** Property names that objects inherit. JSON can set them as own properties. */
export const oddKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  'a\0b',
  '\ud800',
  'id',
  'isAdmin',
)

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: fc.oneof(oddNumber, fc.constantFrom(...ODD_SPELLINGS)) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], [''], { length: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom(3, 500).map(nested) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(oddKey, fc.constantFrom<unknown>(null, 1, {}, { isAdmin: true }))
      .map(([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as unknown),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Headers that our API reads, and some that it does not. */
export const oddHeader = fc
  .tuple(
    fc.constantFrom(
      'if-none-match',
      'accept-encoding',
      'accept',
      'accept-language',
      'x-request-id',
      'x-forwarded-for',
      'x-forwarded-proto',
      'forwarded',
      'host',
      'last-event-id',
      'user-agent',
      'referer',
      'range',
      'if-modified-since',
      'x-http-method-override',
      'stripe-signature',
    ),
    fc.oneof(
      oddText,
      fc.constantFrom('*', 'W/"', '""', 'W/"a", "b",,', ',,,', 'gzip;q=0, *;q=x', 'br;q=1, identity;q=0', ' DELETE'),
      fc.constantFrom('t=1,v1=00', 't=99999999999999999999,v1=', '999.1.1.1, ::ffff:1.2.3.4', '::1%eth0', 'bytes=0-'),
    ),
  )
  .map(([name, value]) => [name, headerValue(value)] as const)

/** UTF-8 on the wire as a client sends it; Node's client accepts all but controls. */
function headerValue(text: string): string {
  return Buffer.from(text.slice(0, 2_000))
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
