// Which addresses are public: every internal range, in every notation and embedding, is refused.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalAddress,
  isPlatformAddress,
  isPrivateAddress,
  isPublicAddress,
  withPort,
} from '../../src/platform/public-address.ts'

/** First and last address of each range in IANA's special-purpose registries (RFC 6890, RFC 8190), and multicast. */
const INSIDE_IPV4 = `
  0.0.0.0 0.255.255.255
  10.0.0.0 10.255.255.255
  100.64.0.0 100.127.255.255
  168.63.129.16 168.63.129.16
  127.0.0.0 127.255.255.255
  169.254.0.0 169.254.255.255
  172.16.0.0 172.31.255.255
  192.0.0.0 192.0.0.255
  192.0.2.0 192.0.2.255
  192.88.99.0 192.88.99.255
  192.168.0.0 192.168.255.255
  198.18.0.0 198.19.255.255
  198.51.100.0 198.51.100.255
  203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255
  240.0.0.0 255.255.255.255`
const OUTSIDE_IPV4 = `
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
  198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255`
const INSIDE_IPV6 = `
  :: ::1 ::2 ::ffff:0:0 ::ffff:0:7f00:1 100:: 100::ffff:ffff:ffff:ffff 200:: 400:: 1000:: 1fff:ffff::
  fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fd00:ec2::254 fe80:: febf:ffff::1 fe80::1%eth0 fec0::1 feff::1 ff00:: ff02::1 ffff::
  2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:1f:ffff::1 2001:20::1 2001:2f:ffff::1 2001:db8::1
  2002:: 2002:7f00:1:: 2002:808:808:: 3fff::1 3fff:fff:ffff::1 4000:: 5f00::1 8000:: e000::
  64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:808:808 64:ff9a::808:808 64:ff9b:0:0:1::808:808 64:ff9c::808:808`
const OUTSIDE_IPV6 = `
  2000::1 2001:4860:4860::8888 2001:200::1 2400:cb00::1 2606:4700:4700::1111 2620:0:ccc::2 2a00:1450:4001:80b::200e 3ffe::1`

const words = (text: string) => text.trim().split(/\s+/)
const ranges = INSIDE_IPV4.trim()
  .split('\n')
  .map((line) => words(line).map(toNumber) as [number, number])
const within = (address: number) => ranges.some(([first, last]) => address >= first && address <= last)

function toNumber(ipv4: string): number {
  return ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
const quad = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
const hex = (address: number) => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`

describe('a public address', () => {
  it.each(words(INSIDE_IPV4))('is not %s, which is internal', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(words(OUTSIDE_IPV4))('is %s, next to an internal range', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  it.each(words(INSIDE_IPV6))('is not %s', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(words(OUTSIDE_IPV6))('is %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each(['', 'localhost', 'example.com', '1.2.3.4.5', '256.1.1.1', '1.2.3.4:80', '[::1]', '8.8.8.8/32', ':::'])(
    'is not %j, which is not an address',
    (text) => expect(isPublicAddress(text)).toBe(false),
  )

  it('is decided by the embedded IPv4 address', () => {
    const anywhere = fc.integer({ min: 0, max: 0xffffffff })
    const inside = fc.constantFrom(...ranges).chain(([first, last]) => fc.integer({ min: first, max: last }))
    fc.assert(
      fc.property(fc.oneof(anywhere, inside), (address) => {
        const isPublic = !within(address)
        expect(isPublicAddress(quad(address)), quad(address)).toBe(isPublic)
        for (const carrier of [`::ffff:${hex(address)}`, `::ffff:${quad(address)}`, `64:ff9b::${hex(address)}`])
          expect(isPublicAddress(carrier), carrier).toBe(isPublic)
        for (const never of [`::${hex(address)}`, `2002:${hex(address)}::1`, `64:ff9b:1::${hex(address)}`])
          expect(isPublicAddress(never), never).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('in IPv6 is always within 2000::/3', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(fc.tuple(group, fc.array(group, { minLength: 7, maxLength: 7 })), ([first, rest]) => {
        fc.pre(first >>> 13 !== 1 && first !== 0x64 && first !== 0)
        expect(isPublicAddress([first, ...rest].map((part) => part.toString(16)).join(':'))).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an address of a cloud platform', () => {
  const PLATFORM = `
    168.63.129.16 169.254.169.254 169.254.170.2 169.254.0.23 169.254.42.42 100.100.100.200 192.0.0.192
    fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42 ::ffff:168.63.129.16 ::ffff:a9fe:a9fe 64:ff9b::a83f:8110`
  it.each(words(PLATFORM))('is %s, and never public', (address) => {
    expect(isPlatformAddress(address)).toBe(true)
    expect(isPublicAddress(address)).toBe(false)
  })
  it.each(words('127.0.0.1 10.0.0.1 100.100.100.201 168.63.129.17 192.168.1.1 ::1 fd00::1 8.8.8.8 localhost'))(
    'is not %s',
    (address) => expect(isPlatformAddress(address)).toBe(false),
  )
})

describe('a private address', () => {
  it.each(words('127.0.0.1 10.0.0.1 192.168.1.1 100.64.0.1 192.0.2.1 ::1 fd00::1 2001:db8::1 ::ffff:10.0.0.1'))(
    'is %s',
    (address) => expect(isPrivateAddress(address)).toBe(true),
  )
  it.each(
    words(`8.8.8.8 2606:4700::1 0.0.0.0 224.0.0.1 255.255.255.255 169.254.169.254 :: ff02::1 fe80::1 fec0::1 fd00:ec2::254
      2002:a00:1::1 2001:0:a00:1::1 ::a00:1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe localhost`),
  )('is not %s', (address) => expect(isPrivateAddress(address)).toBe(false))
})

it('every address has one text, which sockets report too', () => {
  for (const [given, text] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', undefined],
    ['[::1]', undefined],
    ['example.com', undefined],
  ])
    expect(canonicalAddress(String(given)), String(given)).toBe(text)
  expect(['192.0.2.1', '2001:db8::1', 'play.example', '[2001:db8::1]'].map((host) => withPort(host, 1))).toEqual([
    '192.0.2.1:1',
    '[2001:db8::1]:1',
    'play.example:1',
    '[2001:db8::1]:1',
  ])
})
