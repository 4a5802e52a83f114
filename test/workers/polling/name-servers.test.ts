// How names are resolved: as games' clients do, from name servers that may be slow, wrong or hostile.
import type { SrvRecord } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { inOrder, MAX_SERVICE_HOSTS } from '../../../workers/polling/name-servers.ts'
import { createTargetResolver, type TargetAddressOptions } from '../../../workers/polling/target-address.ts'
import { type NameAnswer, type NameRecord, startNameServer } from '../../support/name-server.ts'

const SERVICE = '_minecraft._tcp'

/** A resolver that asks a name server with these names only. */
async function openResolver(
  names: Record<string, NameAnswer>,
  { tcp = true, ...options }: Partial<TargetAddressOptions> & { tcp?: boolean } = {},
) {
  const { address, asked } = await startNameServer((name) => names[name] ?? 'missing', { tcp })
  const resolve = createTargetResolver({ allowPrivate: false, nameServers: [address], ...options })
  return {
    names,
    asked,
    resolve: async (host: string) => resolve({ host }),
    /** As a client does if a player types no port. */
    follow: async (host: string) => resolve({ host, srvService: SERVICE }),
  }
}

const UNRESOLVED = { reason: 'unresolved' }
const REFUSED = { reason: 'refused' }

describe('a name', () => {
  test('leads to its IPv4 address, also if it has an IPv6 address', async () => {
    const { resolve, asked } = await openResolver({ 'both.example': ['2606:2800:220:1::1', '93.184.216.34'] })
    expect(await resolve('both.example')).toEqual({ address: '93.184.216.34' })
    expect(asked).toEqual(['both.example A'])
  })

  test('with IPv6 only leads to its IPv6 address', async () => {
    const { resolve, asked } = await openResolver({ 'six.example': ['2606:2800:220:1:0:0:0:1'] })
    expect(await resolve('six.example')).toEqual({ address: '2606:2800:220:1::1' })
    expect(asked).toEqual(['six.example A', 'six.example AAAA'])
  })

  test('leads there through other names', async () => {
    const { resolve } = await openResolver({
      'play.example': [{ cname: 'proxy.example' }],
      'proxy.example': [{ cname: 'edge.proxy.example' }],
      'edge.proxy.example': ['93.184.216.34'],
    })
    expect(await resolve('play.example')).toEqual({ address: '93.184.216.34' })
  })

  test('that stands for itself, or for none, can’t be resolved', async () => {
    const { resolve, asked } = await openResolver({
      'loop.example': [{ cname: 'pool.example' }],
      'pool.example': [{ cname: 'loop.example' }],
      'nowhere.example': [{ cname: 'gone.example' }],
    })
    for (const host of ['loop.example', 'nowhere.example', 'missing.example'])
      await expect(resolve(host)).rejects.toMatchObject(UNRESOLVED)
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  test('is asked of the set name servers only: the system’s other sources are for systems without them, and localhost is never asked', async () => {
    const { resolve, asked } = await openResolver({}, { allowPrivate: true })
    // Which the system would take for 127.0.0.1.
    await expect(resolve('127.1')).rejects.toMatchObject(UNRESOLVED)
    expect(await resolve('localhost')).toEqual({ address: '127.0.0.1' })
    expect(asked).toEqual(['127.1 A', '127.1 AAAA'])
  })

  test('with a lifetime of 0 s is asked for once in five minutes', async () => {
    let time = 0
    const { follow, asked, names } = await openResolver(
      { [`${SERVICE}.play.example`]: [{ port: 25_577, target: 'node.example' }], 'node.example': ['93.184.216.34'] },
      { now: () => time },
    )
    for (; time < 300_000; time += 10_000)
      expect(await follow('play.example')).toEqual({ address: '93.184.216.34', port: 25_577 })
    expect(asked).toHaveLength(2)
    // Used again in the background, as addresses are.
    names[`${SERVICE}.play.example`] = [{ port: 25_578, target: 'node.example' }]
    expect(await follow('play.example')).toMatchObject({ port: 25_577 })
    await expect.poll(() => asked.length).toBe(4)
    await expect.poll(() => follow('play.example')).toMatchObject({ port: 25_578 })
  })

  test('with thousands of addresses leads to one of the first sixteen, or to none', async () => {
    const many = (count: number) => [...Array<string>(count).fill('10.0.0.1'), '93.184.216.34']
    const { resolve, asked } = await openResolver({ 'few.example': many(15), 'many.example': many(1_500) })
    expect(await resolve('few.example')).toEqual({ address: '93.184.216.34' })
    await expect(resolve('many.example')).rejects.toMatchObject(REFUSED)
    expect(asked).toContain('many.example A tcp')
  })

  test.each(['silent', 'fail'] as const)(
    'whose name server is %s can’t be resolved, and delays no other',
    async (fault) => {
      const { resolve } = await openResolver({ 'ill.example': fault, 'well.example': ['93.184.216.34'] })
      const ill = resolve('ill.example').then(
        () => 'resolved',
        (error) => error.reason,
      )
      const first = await Promise.race([ill, resolve('well.example')])
      if (fault === 'silent') expect(first).toEqual({ address: '93.184.216.34' })
      expect(await ill).toBe('unresolved')
    },
  )
})

describe('a service', () => {
  test('leads to its host and port, if that is what the client looks for', async () => {
    const { resolve, follow, asked } = await openResolver({
      [`${SERVICE}.play.example`]: [{ port: 25_577, target: 'Node.Example' }],
      'node.example': ['93.184.216.34'],
      'play.example': ['93.184.216.99'],
    })
    expect(await follow('play.example')).toEqual({ address: '93.184.216.34', port: 25_577 })
    expect(await resolve('play.example')).toEqual({ address: '93.184.216.99' })
    expect(asked).toEqual([`${SERVICE}.play.example SRV`, 'node.example A', 'play.example A'])
  })

  test('may be at the name itself, or at a host with IPv6 only', async () => {
    const { follow } = await openResolver({
      [`${SERVICE}.self.example`]: [{ port: 25_570, target: 'self.example' }],
      'self.example': ['93.184.216.34'],
      [`${SERVICE}.six.example`]: [{ port: 25_571, target: 'node.example' }],
      'node.example': ['2606:2800:220:1::1'],
    })
    expect(await follow('self.example')).toEqual({ address: '93.184.216.34', port: 25_570 })
    expect(await follow('six.example')).toEqual({ address: '2606:2800:220:1::1', port: 25_571 })
  })

  test('that a name does not have leaves the name and the usual port', async () => {
    const { follow } = await openResolver({ 'play.example': ['93.184.216.34'] })
    expect(await follow('play.example')).toEqual({ address: '93.184.216.34' })
    expect(await follow('93.184.216.99')).toEqual({ address: '93.184.216.99' })
  })

  test('that the domain does not offer leads nowhere', async () => {
    const { follow } = await openResolver({
      [`${SERVICE}.play.example`]: [{ port: 25_565, target: '.' }],
      'play.example': ['93.184.216.34'],
    })
    await expect(follow('play.example')).rejects.toMatchObject(UNRESOLVED)
  })

  test('has a next host if one can’t be resolved or is private', async () => {
    const { follow } = await openResolver({
      [`${SERVICE}.play.example`]: [
        { priority: 30, port: 3, target: 'public.example' },
        { priority: 20, port: 2, target: 'private.example' },
        { priority: 10, port: 1, target: 'gone.example' },
      ],
      'private.example': ['10.0.0.1'],
      'public.example': ['93.184.216.34'],
    })
    expect(await follow('play.example')).toEqual({ address: '93.184.216.34', port: 3 })
  })

  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '2002:a00:1::1',
    '64:ff9b::a00:1',
  ])('at %s is refused, behind a name and as itself', async (address) => {
    const { follow } = await openResolver({
      [`${SERVICE}.play.example`]: [{ port: 25_565, target: 'inside.example' }],
      'inside.example': [address],
      [`${SERVICE}.raw.example`]: [{ port: 25_565, target: address }],
    })
    await expect(follow('play.example')).rejects.toMatchObject(REFUSED)
    await expect(follow('raw.example')).rejects.toMatchObject(REFUSED)
  })

  test('of its host is not looked for, so loops end', async () => {
    const { follow, asked } = await openResolver({
      [`${SERVICE}.a.example`]: [{ port: 1, target: 'b.example' }],
      [`${SERVICE}.b.example`]: [{ port: 2, target: 'a.example' }],
      'b.example': ['93.184.216.34'],
    })
    expect(await follow('a.example')).toEqual({ address: '93.184.216.34', port: 1 })
    expect(asked.filter((question) => question.endsWith('SRV'))).toEqual([`${SERVICE}.a.example SRV`])
  })

  test('with as many hosts as fit into a message costs three look-ups', async () => {
    const hosts = Array.from({ length: 1_000 }, (_, n) => ({ priority: n, port: 25_565, target: `h${n}.example` }))
    const { follow, asked } = await openResolver({ [`${SERVICE}.play.example`]: hosts })
    await expect(follow('play.example')).rejects.toMatchObject(UNRESOLVED)
    expect(asked).toContain(`${SERVICE}.play.example SRV tcp`) // it did not fit into a datagram
    const names = new Set(asked.map((question) => question.split(' ')[0]).filter((name) => name?.startsWith('h')))
    expect([...names]).toEqual(['h0.example', 'h1.example', 'h2.example'])
  })

  test.each<[string, NameAnswer, boolean]>([
    ['that never comes', 'silent', true],
    ['that is a failure', 'fail', true],
    [
      'that is cut off, without TCP',
      Array.from({ length: 100 }, (_, n): NameRecord => ({ port: 1, target: `${n}.example` })),
      false,
    ],
  ])('answer %s leaves the name, and then the last answer', async (_, fault, tcp) => {
    let time = 0
    const service = `${SERVICE}.play.example`
    const { follow, names, asked } = await openResolver(
      { [service]: fault, 'play.example': ['93.184.216.34'], 'node.example': ['93.184.216.99'] },
      { tcp, now: () => time },
    )
    expect(await follow('play.example')).toEqual({ address: '93.184.216.34' })
    names[service] = [{ port: 25_577, target: 'node.example' }]
    time = 600_000
    expect(await follow('play.example')).toEqual({ address: '93.184.216.99', port: 25_577 })
    names[service] = fault
    const before = asked.length
    time = 900_000
    expect(await follow('play.example')).toEqual({ address: '93.184.216.99', port: 25_577 })
    await expect.poll(() => asked.length).toBeGreaterThan(before)
    expect(await follow('play.example')).toEqual({ address: '93.184.216.99', port: 25_577 })
  })
})

describe('the order of hosts', () => {
  const record = (name: string, priority: number, weight = 0, port = 25_565): SrvRecord => ({
    name,
    priority,
    weight,
    port,
  })
  const namesOf = (records: SrvRecord[], random?: () => number) => inOrder(records, random).map(({ host }) => host)

  test('is by priority', () => {
    expect(namesOf([record('c', 30, 9), record('a', 10), record('b', 20, 5)])).toEqual(['a', 'b', 'c'])
  })

  test('is random by weight within a priority', () => {
    const records = [record('light', 1, 100), record('heavy', 1, 300), record('none', 1, 0), record('last', 2, 900)]
    const firsts = Array.from({ length: 4_010 }, (_, n) => namesOf(records, () => n / 4_010)[0])
    const share = (name: string) => Math.round((100 * firsts.filter((first) => first === name).length) / firsts.length)
    expect([share('none'), share('light'), share('heavy'), share('last')]).toEqual([0, 25, 75, 0])
  })

  test('has each host once, and neither the root nor port 0', () => {
    expect(
      namesOf([record('', 0), record('.', 0), record('a', 1, 0, 0), record('b', 1, 7), record('c', 1, 7)]).sort(),
    ).toEqual(['b', 'c'])
  })

  test('is that of the first sixteen of ten thousand', () => {
    const records = Array.from({ length: 10_000 }, (_, n) => record(`h${n}`, 10_000 - n, 65_535))
    expect(namesOf(records)).toEqual(Array.from({ length: MAX_SERVICE_HOSTS }, (_, n) => `h${9_999 - n}`))
  })
})
