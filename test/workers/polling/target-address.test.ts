// Which addresses may be queried: names are resolved first, and every result is checked.
import { setImmediate as lookedUp } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTargetResolver, type TargetAddressOptions } from '../../../workers/polling/target-address.ts'

const PRIVATE = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '168.63.129.16',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '240.0.0.1',
]

const hex = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

/**
 * Loopback, private, link-local and site-local; multicast and unspecified; tunnels and translators to IPv4 (RFC 6890).
 */
const PRIVATE_IPV6 = [
  '::',
  '::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '2001:0:7f00:1::1',
  ...PRIVATE.flatMap((address) => [
    `::${hex(address)}`,
    `2002:${hex(address)}::1`,
    `64:ff9b::${hex(address)}`,
    `64:ff9b:1::${hex(address)}`,
  ]),
]

/** Resolves to an address, without what else is known of it. */
function openResolver(options: TargetAddressOptions) {
  const resolveTarget = createTargetResolver(options)
  return async (host: string, mayHaveMoved = false) => (await resolveTarget({ host, mayHaveMoved })).address
}

/** A resolver over fixed names that counts its lookups. */
function withNames(
  names: Record<string, string[] | Error>,
  options: { allowPrivate?: boolean; now?: () => number } = {},
) {
  const asked: string[] = []
  const resolve = openResolver({
    allowPrivate: false,
    ...options,
    addressesOf: async (host) => {
      asked.push(host)
      const answer = names[host] ?? new Error('ENOTFOUND')
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { resolve, asked, names }
}

describe('a target’s address', () => {
  it('may be public', async () => {
    const { resolve } = withNames({ 'game.example': ['93.184.216.34'] })
    expect(await resolve('93.184.216.34')).toBe('93.184.216.34')
    expect(await resolve('game.example')).toBe('93.184.216.34')
    expect(await resolve('::ffff:93.184.216.34')).toBe('93.184.216.34')
  })

  it.each(PRIVATE)('%s is refused, as itself, behind a name, and written as IPv6', async (address) => {
    const { resolve } = withNames({ 'game.example': [address] })
    for (const host of [address, 'game.example', `::ffff:${address}`])
      await expect(Promise.try(resolve, host)).rejects.toMatchObject({ reason: 'refused' })
  })

  it.each(PRIVATE_IPV6)('%s is refused, as itself and behind a name', async (address) => {
    const { resolve } = withNames({ 'game.example': [address] })
    for (const host of [address, 'game.example'])
      await expect(Promise.try(resolve, host)).rejects.toMatchObject({
        reason: address.includes('%') ? 'unresolved' : 'refused',
      })
  })

  it('of a name with public and private addresses is the public one', async () => {
    const { resolve } = withNames({ 'game.example': ['10.0.0.1', '93.184.216.34'] })
    expect(await resolve('game.example')).toBe('93.184.216.34')
  })

  it('may be private in development, but never multicast, broadcast or a cloud platform’s', async () => {
    const { resolve } = withNames({}, { allowPrivate: true })
    for (const host of ['127.3.2.1', '10.0.0.1', '::1', 'fd12::1', '2001:db8::1'])
      expect(await resolve(host)).toBe(host)
    for (const host of [
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
      '169.254.169.254',
      '100.100.100.200',
      '::',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'fd00:ec2::254',
      '2002:a9fe:a9fe::1',
      '64:ff9b::a9fe:a9fe',
      '2001:0:a9fe:a9fe::1',
    ])
      await expect(Promise.try(resolve, host)).rejects.toMatchObject({ reason: 'refused' })
  })

  it('is checked after the system’s resolver turned unusual notations into loopback', async () => {
    const resolve = openResolver({ allowPrivate: false })
    await expect(Promise.try(resolve, 'localhost')).rejects.toMatchObject({ reason: 'refused' })
    for (const host of ['0x7f000001', '127.1', '2130706433', '::1', 'fe80::1'])
      await expect(Promise.try(resolve, host)).rejects.toThrow()
  })

  it('may be an IPv6 address, in the form in which sockets report it', async () => {
    const { resolve } = withNames({ 'six.example': ['2606:2800:0220:0001:0:0:0:0001'] })
    for (const host of ['2606:2800:220:1:0::1', '2606:2800:220:1:0:0:0:1', 'six.example'])
      expect(await resolve(host)).toBe('2606:2800:220:1::1')
  })
})

describe('a name', () => {
  it('is looked up once in five minutes for all queries', async () => {
    let time = 0
    const { resolve, asked, names } = withNames({ 'game.example': ['93.184.216.34'] }, { now: () => time })
    await Promise.all(Array.from({ length: 100 }, () => resolve('game.example')))
    expect(asked).toHaveLength(1)
    names['game.example'] = ['10.0.0.1'] // the name moves to a private address later
    time += 299_999
    expect(await resolve('game.example')).toBe('93.184.216.34')
    time += 1
    expect(await resolve('game.example')).toBe('93.184.216.34')
    await lookedUp()
    await expect(Promise.try(resolve, 'game.example')).rejects.toMatchObject({ reason: 'refused' })
    expect(asked).toHaveLength(2)
  })

  it('that led to no server is looked up again in the background, once in five seconds', async () => {
    let time = 0
    const { resolve, asked, names } = withNames({ 'game.example': ['93.184.216.34'] }, { now: () => time })
    await resolve('game.example')
    names['game.example'] = ['93.184.216.99']
    time = 4_999
    await resolve('game.example', true)
    expect(asked).toHaveLength(1)
    time = 5_000
    for (const _ of [1, 2]) expect(await resolve('game.example', true)).toBe('93.184.216.34')
    await lookedUp()
    expect(await resolve('game.example')).toBe('93.184.216.99')
    expect(asked).toHaveLength(2)
  })

  it('that was not used for ten minutes is looked up first', async () => {
    let time = 0
    const { resolve, names } = withNames({ 'game.example': ['93.184.216.34'] }, { now: () => time })
    await resolve('game.example')
    names['game.example'] = ['93.184.216.99']
    time = 600_000
    expect(await resolve('game.example')).toBe('93.184.216.99')
  })

  it('in use is not delayed by names whose name servers are silent', async () => {
    let time = 0
    const silent: string[] = []
    const resolve = openResolver({
      allowPrivate: false,
      now: () => time,
      addressesOf: (host) => {
        if (host === 'game.example') return Promise.resolve(['93.184.216.34'])
        silent.push(host)
        return new Promise(() => undefined)
      },
    })
    await resolve('game.example')
    time = 300_000
    for (let n = 0; n < 60; n++) Promise.try(resolve, `silent${n}.example`).catch(() => undefined)
    await expect.poll(() => silent.length).toBeGreaterThan(10)
    expect(await resolve('game.example')).toBe('93.184.216.34')
  })

  it('keeps its last address for an hour while the lookup fails', async () => {
    let time = 0
    const { resolve, asked, names } = withNames({ 'game.example': ['93.184.216.34'] }, { now: () => time })
    await resolve('game.example')
    names['game.example'] = new Error('ETIMEOUT')
    for (time = 300_000; time < 3_600_000; time += 300_000) {
      expect(await resolve('game.example')).toBe('93.184.216.34')
      await lookedUp()
    }
    await expect(Promise.try(resolve, 'game.example')).rejects.toMatchObject({ reason: 'unresolved' })
    expect(asked.length).toBeGreaterThan(10)
  })

  it('that can’t be resolved is looked up twice a minute at most', async () => {
    let time = 0
    const { resolve, asked } = withNames({}, { now: () => time })
    for (; time < 60_000; time += 1_000)
      await expect(Promise.try(resolve, 'gone.example')).rejects.toMatchObject({ reason: 'unresolved' })
    expect(asked).toHaveLength(2)
  })
})
