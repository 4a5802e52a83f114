// Request limits by client address: per minute and hour, and which address counts.
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientAddress, countedAddress } from '../../../src/platform/http/client-key.ts'
import { ApiError } from '../../../src/platform/http/errors.ts'
import { memoryStore } from '../../../src/platform/http/fast-path/memory-limits.ts'
import { rateLimitHeaders } from '../../../src/platform/http/limit-headers.ts'
import { type LimitCount, nestedWindows, type SharedLimitStore } from '../../../src/platform/http/limit-policy.ts'
import { createLimits, ipPolicies } from '../../../src/platform/http/limits.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { sampleRoutes } from './sample-routes.ts'

it('a refused request is not counted: once those that passed are refunded, there is nothing left', async () => {
  const limits = createLimits({ store: memoryStore(), log: testLog })
  const subject = { key: 'visitor', policies: [{ name: 'login-caller', limit: 5, windowSeconds: 60 }] }
  const isAllowed = async () =>
    Promise.try(limits.consume, subject).then(
      () => true,
      () => false,
    )
  const first = await Promise.all(Array.from({ length: 10 }, isAllowed))
  expect(first.filter(Boolean)).toHaveLength(5)
  for (const _ of first.filter(Boolean)) await limits.refund(subject)
  expect(await Promise.all(Array.from({ length: 5 }, isAllowed))).not.toContain(false)
  expect(await isAllowed()).toBe(false)
})

it.each(['when it is counted', 'after that'])(
  'a read that is refunded waits once for a store that is slow %s',
  async (since) => {
    const never = () => new Promise<never>(() => {})
    const counted = async () => [{ remaining: 1, msLeft: 60_000, refused: false }]
    const store: SharedLimitStore = {
      hitAll: since === 'after that' ? counted : never,
      refund: never,
      readsWaitMs: 50,
      stop: async () => {},
    }
    const limits = createLimits({ store, log: testLog })
    const subject = {
      key: 'visitor',
      policies: nestedWindows('ip', [
        [2, 60],
        [9, 3600],
      ]),
    }
    await limits.consume(subject, { isRead: true })
    const refunded = limits.refund(subject, { isRead: true }).then(() => 'refunded or not')
    expect(await Promise.race([refunded, sleep(1_000, 'still waiting')])).toBe('refunded or not')
  },
)

describe('the limits of an address', () => {
  const start = new Date('2026-11-20T12:00:00.000Z')
  afterEach(() => {
    vi.useRealTimers()
  })

  function limitsOf(perMinute: number, perHour: number) {
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const limits = createLimits({ store: memoryStore(), log: testLog })
    const policies = ipPolicies({ RATE_LIMIT_IP_PER_MINUTE: perMinute, RATE_LIMIT_IP_PER_HOUR: perHour })
    /** @returns the RateLimit headers, and the error if refused */
    return async (key = 'visitor') => {
      const counts: LimitCount[] = []
      const error = await Promise.try(limits.consume, { key, policies }, { isRead: true, counts }).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      const headers = rateLimitHeaders(counts)
      return { policy: headers[1], state: headers[3], error: error as ApiError | undefined }
    }
  }

  const secondsLater = (seconds: number) => vi.setSystemTime(start.getTime() + seconds * 1000)

  it('allow the last request of the minute and refuse the next until the minute is over', async () => {
    const consume = limitsOf(3, 1000)
    expect(await consume()).toEqual({
      policy: '"ip-minute";q=3;w=60, "ip-hour";q=1000;w=3600',
      state: '"ip-minute";r=2;t=60, "ip-hour";r=999;t=3600',
      error: undefined,
    })
    await consume()
    secondsLater(20.5)
    expect(await consume()).toMatchObject({ state: '"ip-minute";r=0;t=40, "ip-hour";r=997;t=3580', error: undefined })
    const { state, error } = await consume()
    expect(state).toBe('"ip-minute";r=0;t=40')
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'Retry-After': '40' } })
    secondsLater(59.9)
    expect((await consume()).error).toBeDefined()
    secondsLater(60)
    expect((await consume()).error).toBeUndefined()
  })

  it('are not prolonged by a clock that is set back', async () => {
    const consume = limitsOf(3, 1000)
    for (let i = 0; i < 4; i++) await consume()
    secondsLater(-3_600)
    expect(await consume()).toMatchObject({ state: '"ip-minute";r=2;t=60, "ip-hour";r=999;t=3600', error: undefined })
  })

  it('refuse by the hour what each minute would allow', async () => {
    const consume = limitsOf(3, 5)
    for (const minute of [0, 1]) {
      secondsLater(minute * 60)
      for (let i = 0; i < 3; i++) await consume()
    }
    secondsLater(120)
    const { state, error } = await consume()
    expect(state).toBe('"ip-minute";r=2;t=60, "ip-hour";r=0;t=3480')
    expect(error?.headers).toEqual({ 'Retry-After': '3480' })
    secondsLater(3600)
    expect((await consume()).error).toBeUndefined()
  })

  it('don’t count in the hour what the minute refused', async () => {
    const consume = limitsOf(2, 4)
    for (let i = 0; i < 10; i++) await consume()
    secondsLater(60)
    expect((await consume()).error).toBeUndefined()
    expect((await consume()).error).toBeUndefined()
  })

  it('are separate for each address', async () => {
    const consume = limitsOf(1, 10)
    await consume('one')
    expect((await consume('one')).error).toBeDefined()
    expect((await consume('two')).error).toBeUndefined()
  })

  it('are off when set to 0', async () => {
    const consume = limitsOf(0, 0)
    expect(await consume()).toEqual({ policy: undefined, state: undefined, error: undefined })
    vi.useRealTimers()
    expect((await limitsOf(0, 7)()).policy).toBe('"ip-hour";q=7;w=3600')
  })
})

describe('which address counts', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['2001:0DB8:0001:0200:ffff::', '2001:db8:1:200::/56'],
    ['2001:db8:1:300::1', '2001:db8:1:300::/56'],
    ['64:ff9b::c000:201', '192.0.2.1'],
    ['64:ff9b:1::c000:201', '64:ff9b:1:0::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['local', 'local'],
  ])('%s counts as %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })

  it.each([
    ['no proxy', 0, '198.51.100.1', '10.0.0.1'],
    ['one proxy, which appends what it saw', 1, '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['two proxies', 2, '203.0.113.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['fewer entries than proxies', 3, '198.51.100.1', '198.51.100.1'],
    ['an entry with a port', 1, '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
    ['an entry that is no address', 1, 'unknown', '10.0.0.1'],
    ['an empty entry', 1, '198.51.100.1,', '10.0.0.1'],
    ['no header', 1, undefined, '10.0.0.1'],
  ])('behind %s', (_name, proxies, forwarded, address) => {
    const req = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } }
    expect(clientAddress(req as unknown as IncomingMessage, proxies)).toBe(address)
  })
})

describe('an API with limits', () => {
  const from = (address: string): RequestInit => ({ headers: { 'x-forwarded-for': address } })
  const settings = { RATE_LIMIT_IP_PER_MINUTE: '3', RATE_LIMIT_IP_PER_HOUR: '100', TRUST_PROXY: '1' }

  it('reports what is left, and refuses with 429, Retry-After and the headers', async () => {
    const api = await startTestApi({ settings })
    const first = await api.request('/api/public/stats', from('192.0.2.1'))
    expect(first.headers.get('ratelimit-policy')).toBe('"ip-minute";q=3;w=60, "ip-hour";q=100;w=3600')
    expect(first.headers.get('ratelimit')).toBe('"ip-minute";r=2;t=60, "ip-hour";r=99;t=3600')
    await api.request('/api/public/stats', from('192.0.2.1'))
    await api.request('/api/public/stats', from('192.0.2.1'))
    const refused = await api.request('/api/public/stats', from('192.0.2.1'))
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(refused.headers.get('ratelimit')).toMatch(/^"ip-minute";r=0;t=\d+$/)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('counts every path but files, also unknown ones, and no probe', async () => {
    const api = await startTestApi({ settings, routes: sampleRoutes() })
    const paths = [
      '/api/samples',
      '/api/v1/samples/page',
      '/api/openapi.json',
      '/docs',
      '/nothing',
      '/api/%ff',
      '/api/samples/broken',
    ]
    for (const [index, path] of paths.entries()) {
      const visitor = from(`192.0.2.${index}`)
      for (let i = 0; i < 3; i++) await fetch(api.url + path, visitor)
      expect((await fetch(api.url + path, visitor)).status, path).toBe(429)
    }
    for (const method of ['POST', 'PUT', 'OPTIONS', 'HEAD']) {
      const visitor = { method, ...from(`198.51.100.${method.length + method.charCodeAt(1)}`) }
      for (let i = 0; i < 3; i++) await api.request('/api/samples', visitor)
      expect((await fetch(`${api.url}/api/samples`, visitor)).status, method).toBe(429)
    }
    for (const path of ['/healthz', '/readyz', '/metrics'])
      for (let i = 0; i < 10; i++) expect((await api.request(path, from('192.0.2.1'))).status).toBe(200)
  })

  it('counts the addresses of one /56, and both forms of an IPv4 address, as one client', async () => {
    const api = await startTestApi({ settings })
    const left = async (address: string) =>
      /r=(\d+)/.exec((await api.request('/api/public/stats', from(address))).headers.get('ratelimit') ?? '')?.[1]
    expect(await left('2001:db8:0:100::1')).toBe('2')
    expect(await left('2001:db8:0:1ff:1::5')).toBe('1')
    expect(await left('2001:db8:0:200::1')).toBe('2')
    expect(await left('192.0.2.1')).toBe('2')
    expect(await left('::ffff:192.0.2.1')).toBe('1')
  })

  it('ignores X-Forwarded-For without a proxy', async () => {
    const api = await startTestApi({ settings: { ...settings, TRUST_PROXY: '0' } })
    for (let i = 0; i < 3; i++) await api.request('/api/public/stats', from(`192.0.2.${i}`))
    expect((await api.request('/api/public/stats', from('192.0.2.99'))).status).toBe(429)
  })
})
