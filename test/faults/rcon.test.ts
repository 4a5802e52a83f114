// A worker process that dies while a command runs.
import { expect, test } from 'vitest'
import { createRconWorld, startRconWorker } from '../features/rcon/support.ts'
import { startTestApi } from '../support/api.ts'
import { startProcess } from '../support/processes.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const api = await startTestApi()
const { open, send, entries } = createRconWorld(api)

test(
  'RCON under kills: the caller learns in time that the command may have run, it does not run again, the next one does',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const worker = await startProcess('workers/main.ts', api.database.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const { id, owner, game } = await open({ answer: (command) => (command === 'restart' ? promise : 'fine') })
    const begun = performance.now()
    const reply = send(owner, id, 'restart')
    await expect.poll(() => game.commands, { timeout: 8_000 }).toEqual(['restart'])
    worker.child.kill('SIGKILL')
    run.tried('worker killed with a command under way')
    expect(await reply).toMatchObject({ status: 400, body: { error: 'rcon_timeout' } })
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await entries(id)).at(-1)?.details).toEqual({ command: 'restart', outcome: 'lost' })
    resolve('')

    await startRconWorker(api)
    expect(await send(owner, id, 'status')).toEqual({ status: 200, body: { response: 'fine' } })
    run.worked('commands run', game.commands.length)
    run.expectNothingLost({
      'commands run twice': game.commands.filter((command, n) => game.commands.indexOf(command) !== n),
    })
    expect(game.commands).toEqual(['restart', 'status'])
  },
  FAULT_RUN_TIMEOUT_MS,
)
