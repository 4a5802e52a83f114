// What a probe reports of names that must not be queried.
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { createProber } from '../../workers/servers/probe.handler.ts'
import { startNameServer } from '../support/name-server.ts'

test('a name that leads to private addresses has the result of one that does not exist', async () => {
  const prober = createProber({ settings: { ALLOW_PRIVATE_TARGETS: false } })
  onTestFinished(() => prober.close())
  for (const ipAddress of ['localhost', 'does-not-exist.invalid'])
    expect(await prober.handle({ game: 'protocol-valve', ipAddress, queryPort: 9 })).toEqual({ outcome: 'unresolved' })
})

test('DNS_SERVERS are asked', async () => {
  const game = await startSimulatedServer({ address: '127.88.0.1', info: { name: 'Found by name' } })
  onTestFinished(() => game.close())
  const dns = await startNameServer((name) => (name === 'game.example' ? ['127.88.0.1'] : 'missing'))
  const prober = createProber({ settings: { ALLOW_PRIVATE_TARGETS: true, DNS_SERVERS: [dns.address] } })
  onTestFinished(() => prober.close())
  const target = { game: 'protocol-valve', ipAddress: 'game.example', queryPort: game.port }
  expect(await prober.handle(target)).toMatchObject({ outcome: 'answered', name: 'Found by name' })
})
