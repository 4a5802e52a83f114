// What a probe reports of names that must not be queried.
import { expect, onTestFinished, test } from 'vitest'
import { createProber } from '../../workers/servers/probe.handler.ts'

test('a name that leads to private addresses has the result of one that does not exist', async () => {
  const prober = createProber({ settings: { ALLOW_PRIVATE_TARGETS: false } })
  onTestFinished(() => prober.close())
  for (const ipAddress of ['localhost', 'does-not-exist.invalid'])
    expect(await prober.handle({ game: 'protocol-valve', ipAddress, queryPort: 9 })).toEqual({ outcome: 'unresolved' })
})
