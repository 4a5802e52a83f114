// A worker process that dies with a command under way.
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { startProcess } from '../../support/processes.ts'
import { createRconWorld, startRconWorker } from './support.ts'

const api = await startTestApi()
const { open, send, entries } = createRconWorld(api)

test('whoever waits is told in time that the command may have run, it does not run again, and the next one does', async () => {
  const worker = await startProcess('workers/main.ts', api.database.url)
  const { promise, resolve } = Promise.withResolvers<string>()
  const { id, owner, game } = await open({ answer: (command) => (command === 'restart' ? promise : 'fine') })
  const begun = performance.now()
  const reply = send(owner, id, 'restart')
  await expect.poll(() => game.commands, { timeout: 8_000 }).toEqual(['restart'])
  worker.child.kill('SIGKILL')
  expect(await reply).toMatchObject({ status: 400, body: { error: 'rcon_timeout' } })
  expect(performance.now() - begun).toBeLessThan(20_000)
  expect((await entries(id)).at(-1)?.details).toEqual({ command: 'restart', outcome: 'lost' })
  resolve('')

  await startRconWorker(api)
  expect(await send(owner, id, 'status')).toEqual({ status: 200, body: { response: 'fine' } })
  expect(game.commands).toEqual(['restart', 'status'])
}, 60_000)
