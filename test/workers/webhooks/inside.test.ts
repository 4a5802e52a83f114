// No URL and no DNS answer makes the sender connect to an internal address.
import { createServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSender, type SenderOptions } from '../../../workers/webhooks/send.ts'
import { startNameServer } from '../../support/name-server.ts'
import { startReceiver } from './support.ts'

const GUARDED: SenderOptions = { allowPrivate: false, requireHttps: false }

function post(url: string, options: SenderOptions = GUARDED) {
  const sender = createSender(options)
  onTestFinished(() => sender.close())
  return sender.post({ url, headers: {}, body: '{}' })
}

/** Counts connections to any IPv4 address of this machine and, where it has IPv6, to any IPv6 address. */
async function startTrap(): Promise<{ port: number; hits: () => number }> {
  let hits = 0
  const open = (host: string, port: number) =>
    new Promise<Server | undefined>((resolve) => {
      const server = createServer((socket) => {
        hits++
        socket.destroy()
      })
      server.once('error', () => resolve(undefined))
      server.listen({ host, port, ipv6Only: host === '::' }, () => resolve(server))
    })
  const ipv4 = await open('0.0.0.0', 0)
  const address = ipv4?.address()
  if (typeof address !== 'object' || !address) throw new Error('no trap')
  const ipv6 = await open('::', address.port)
  onTestFinished(() => {
    ipv4?.close()
    ipv6?.close()
  })
  return { port: address.port, hits: () => hits }
}

const INSIDE = [
  '127.0.0.1',
  '127.1',
  '127.8.8.8',
  '0x7f.1',
  '0x7f000001',
  '017700000001',
  '2130706433',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '１２７.０.０.１',
  '[::1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
]

const NO_PUBLIC_ADDRESS = 'the name leads to no public address'

describe('an internal address', () => {
  it.each(INSIDE)('is refused as %s', async (host) => {
    const trap = await startTrap()
    const error = /localhost/i.test(host) ? NO_PUBLIC_ADDRESS : 'not a public address'
    for (const scheme of ['http', 'https'])
      expect(await post(`${scheme}://${host}:${trap.port}/`)).toMatchObject({ error })
    expect(trap.hits()).toBe(0)
  })

  it('is refused by name, for every form of DNS answer, alone or among public addresses', async () => {
    const trap = await startTrap()
    const answers: Record<string, string[]> = {
      'loopback.test': ['127.0.0.1'],
      'private.test': ['10.1.2.3'],
      'mapped.test': ['::ffff:127.0.0.1'],
      'nat64.test': ['64:ff9b::7f00:1'],
      'sixtofour.test': ['2002:7f00:1::'],
      'mixed.test': ['93.184.215.14', '127.0.0.1'],
      'mixed-families.test': ['93.184.215.14', '::1'],
      'metadata.test': ['169.254.169.254'],
      // The same reply, so that owners don't learn which names a private network has.
      'nowhere.test': [],
    }
    const dns = await startNameServer((name) => answers[name] ?? [])
    for (const name of Object.keys(answers))
      expect([name, await post(`http://${name}:${trap.port}/`, { ...GUARDED, nameServers: [dns.address] })]).toEqual([
        name,
        { error: NO_PUBLIC_ADDRESS, latencyMs: 0, response: '', isUnsent: true },
      ])
    expect(trap.hits()).toBe(0)
  })

  it('is not reached by a name that is public in the first answer and private in the next', async () => {
    const trap = await startTrap()
    const questions = { A: 0, AAAA: 0, SRV: 0 }
    // 3000::/4 is public but was never assigned, so no host answers.
    const dns = await startNameServer((_, type) => {
      questions[type]++
      if (type === 'AAAA') return questions.AAAA === 1 ? ['3000::1'] : []
      return questions.A === 1 ? [] : ['127.0.0.1']
    })
    const sender = createSender({ ...GUARDED, nameServers: [dns.address], timeoutMs: 700 })
    onTestFinished(() => sender.close())
    const send = () => sender.post({ url: `http://rebinding.test:${trap.port}/`, headers: {}, body: '{}' })
    // The first attempt connects only to the checked address and does not resolve the name again.
    expect((await send()).error).toMatch(/^(timeout|unreachable|connection refused)$/)
    expect(questions).toEqual({ A: 1, AAAA: 1, SRV: 0 })
    expect(await send()).toMatchObject({ error: NO_PUBLIC_ADDRESS })
    expect(questions).toEqual({ A: 2, AAAA: 2, SRV: 0 })
    expect(trap.hits()).toBe(0)
  })

  it('is not reached when the DNS server fails first, or never answers', async () => {
    const trap = await startTrap()
    let questions = 0
    const dns = await startNameServer((name) => {
      if (name.startsWith('silent')) return 'silent'
      return questions++ < 4 ? 'fail' : ['127.0.0.1']
    })
    const options = { ...GUARDED, nameServers: [dns.address] }
    const url = `http://failing.test:${trap.port}/`
    for (let i = 0; i < 4; i++) expect(await post(url, options)).toMatchObject({ error: NO_PUBLIC_ADDRESS })
    expect([NO_PUBLIC_ADDRESS, 'timeout']).toContain((await post(`http://silent.test:${trap.port}/`, options)).error)
    expect(trap.hits()).toBe(0)
  })

  it('is connected to where that is allowed, by address and by name; an unresolvable name is reported', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(200).end())
    const dns = await startNameServer((name, type) => (name === 'here.test' && type === 'A' ? ['127.0.0.1'] : []))
    const open = { allowPrivate: true, requireHttps: false, nameServers: [dns.address] }
    for (const host of ['127.0.0.1', 'localhost', 'here.test'])
      expect(await post(`http://${host}:${receiver.port}/`, open)).toMatchObject({ status: 200 })
    expect(await post(`http://nowhere.test:${receiver.port}/`, open)).toMatchObject({ error: NO_PUBLIC_ADDRESS })
  })
})

describe('a detour', () => {
  it('through a redirect is not taken', async () => {
    const inside = await startReceiver()
    for (const status of [301, 302, 303, 307, 308]) {
      const outside = await startReceiver((_, res) => res.writeHead(status, { location: inside.url }).end())
      expect(await post(outside.url, { allowPrivate: true, requireHttps: false })).toMatchObject({ status })
    }
    expect(inside.received).toEqual([])
  })

  it('through a proxy from the environment is not taken', async () => {
    const proxy = await startTrap()
    const receiver = await startReceiver((_, res) => res.writeHead(200).end())
    const before = { ...process.env }
    onTestFinished(() => {
      process.env = before
    })
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
      process.env[name] = `http://127.0.0.1:${proxy.port}`
    process.env.NODE_USE_ENV_PROXY = '1'
    expect(await post(receiver.url, { allowPrivate: true, requireHttps: false })).toMatchObject({ status: 200 })
    expect(proxy.hits()).toBe(0)
  })

  it('through another scheme is not taken, nor through http in production', async () => {
    const trap = await startTrap()
    for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'data:,x', 'unix:/run/x.sock', 'no address', ''])
      expect(await post(url)).toMatchObject({ error: 'not an http address' })
    expect(await post(`http://127.0.0.1:${trap.port}/`, { allowPrivate: true, requireHttps: true })).toMatchObject({
      error: 'not an https address',
    })
    expect(trap.hits()).toBe(0)
  })
})
