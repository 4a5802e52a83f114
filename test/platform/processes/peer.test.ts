// Questions between a process and its primary, and readiness that one process has from another.
import { expect, it } from 'vitest'
import { createHealth } from '../../../src/platform/http/health.ts'
import { connectPeer } from '../../../src/platform/processes/peer.ts'
import { openChannel } from '../../support/channel.ts'
import { testLog } from '../../support/database.ts'

it('asks both ways, and rejects what fails, is unknown or is not answered any more', async () => {
  const { near, far, close } = openChannel()
  const here = connectPeer(near, { add: (value: number) => value + 1 })
  const there = connectPeer(far, {
    double: async (value: number) => value * 2,
    fail: () => {
      throw new Error('secret')
    },
    never: () => new Promise(() => {}),
  })
  expect(await Promise.all([here.ask('double', 4), there.ask('add', 4)])).toEqual([8, 5])
  await expect(here.ask('fail')).rejects.toThrow('the other process did not answer: fail')
  await expect(here.ask('unknown')).rejects.toThrow('the other process did not answer: unknown')
  await expect(here.ask('never')).rejects.toThrow('the other process did not answer: never')
  const asked = here.ask('never')
  close()
  await expect(asked).rejects.toThrow('the other process did not answer')
  await expect(here.ask('double', 4)).rejects.toThrow('the other process did not answer')
})

it('a process that is not ready answers with one that is', async () => {
  const { near, far } = openChannel()
  const primary = connectPeer(near, {})
  const other = connectPeer(far, {})
  const health = createHealth({ checks: [{ name: 'directory', check: () => 'too old' }], log: testLog, primary })
  expect((await health['/readyz']()).status).toBe(503)
  expect(await other.ask('readiness')).toMatchObject({ status: 503 })
  const ready = { status: 200, contentType: 'application/json', body: '{"ready":true,"checks":[]}' }
  other.answers.readiness = () => ready
  expect(await health['/readyz']()).toEqual(ready)
})
