// Processes whose database disconnects, or stops answering, at any point of their start.
import { expect, it } from 'vitest'
import { startProcess } from '../support/processes.ts'
import { createWorld, startReceiver } from '../workers/webhooks/support.ts'
import { openGate } from './support/gate.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const SCRIPTS = { worker: 'workers/main.ts', API: 'src/main.ts' } as const

it(
  'starts: a process that loses its database during the start waits for it, and then works',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const world = await createWorld()
    const receiver = await startReceiver()
    const { serverId } = await world.addEndpoint(receiver.url)

    /** @returns the number of packets it sent until it was ready */
    const start = async (
      who: keyof typeof SCRIPTS,
      harm?: { kind: 'cut' | 'silent'; packet: number; forMs: number },
    ) => {
      const gate = await openGate(world.url)
      if (harm) gate.harm(harm.kind, harm)
      const queued = who === 'worker' ? await world.queue(serverId) : undefined
      const process = await startProcess(SCRIPTS[who], gate.url)
      const packets = gate.packets()
      const ended = new Promise((resolve) => process.child.once('exit', resolve))
      if (queued) await expect.poll(() => receiver.ids(), { timeout: 120_000 }).toContain(queued)
      process.child.kill('SIGKILL') // only its start matters
      await ended
      run.worked('starts repeated', process.output().split('waiting for the database').length - 1)
      return packets
    }
    const packets = { worker: await start('worker'), API: await start('API') }
    const ended: string[] = []
    for (const kind of run.deal(['worker cut', 'API cut', 'worker silent', 'worker cut'] as const, 0.4)) {
      const [who, how] = kind.split(' ') as [keyof typeof SCRIPTS, 'cut' | 'silent']
      const packet = Math.ceil(run.between(0, packets[who]))
      await start(who, { kind: how, packet, forMs: run.between(500, 7_000) }).catch((error: Error) => {
        ended.push(`${kind} at packet ${packet} of ${packets[who]}: ${error.message}`)
      })
      run.tried(`database of a starting ${who} ${how === 'cut' ? 'gone' : 'silent'}`)
    }
    const ids = receiver.ids()
    run.worked('webhooks delivered', new Set(ids).size)
    run.expectNothingLost({ starts: ended })
  },
  FAULT_RUN_TIMEOUT_MS,
)
