// Within one lease, by when an attempt may start.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import { createLeaseSender } from '../../../workers/webhooks/lease-sender.ts'
import type { Recorder } from '../../../workers/webhooks/recorder.ts'
import type { Sender } from '../../../workers/webhooks/send.ts'
import { createWakeSpans } from '../../../workers/webhooks/wake-spans.ts'
import { testLog } from '../../support/database.ts'
import { newSecret } from './support.ts'

const ANSWER = { status: 204, latencyMs: 1, response: '' }

it('starts no attempt after the database took so long to answer that another worker may have the endpoint', async () => {
  const sent: string[] = []
  const settings = { PUBLIC_BASE_URL: 'https://directory.example' }
  const hangingPool = {
    query: async (_text: unknown) => {
      await sleep(400)
      return { rows: [{ id: 'second' }] }
    },
  }
  const sender = {
    post: async ({ headers }: { headers: Record<string, string> }) => {
      sent.push(String(headers['webhook-id']))
      return ANSWER
    },
  }
  const released: string[] = []
  const recorder = { add: () => undefined, release: async (endpointId: string) => void released.push(endpointId) }
  const send = createLeaseSender({
    ...({ pool: hangingPool, settings, log: testLog, clock: Date.now } as unknown as Deps),
    sender: sender as unknown as Sender,
    recorder: recorder as unknown as Recorder,
    wakeSpans: createWakeSpans(),
    isStopping: () => false,
  })
  const delivery = { endpointId: 'endpoint', type: 'vote.created', body: '{}', attempts: 0, traceparent: null } as const
  await send({
    endpointId: 'endpoint',
    kind: 'standard',
    storedUrl: 'stored',
    url: 'https://owner.example/',
    secrets: [newSecret()],
    deliveries: ['first', 'second'].map((id) => ({ ...delivery, id, createdAt: new Date() })),
    lane: 'fast',
    beganAt: performance.now() - 4_700,
    endpointChanged: new AbortController(),
  })
  expect(sent).toEqual(['first'])
  expect(released).toEqual(['endpoint'])
})
