// A delivery to a slow mail server.
import { expect, test } from 'vitest'
import { createSmtpDelivery } from '../../../workers/mail/delivery.ts'
import { startMailServer } from '../../support/mail-server.ts'

const MESSAGE = { from: 'directory@example.org', to: 'player@example.com', subject: 'Slow', text: 'Slow' }

/** A mail server that takes a second for each recipient. */
const startSlowServer = () => startMailServer({ onRcptTo: (_to, _session, done) => setTimeout(done, 1_000) })

test('a worker that no longer has the job sends no mail', async () => {
  const server = await startSlowServer()
  await expect(createSmtpDelivery(server.url)(MESSAGE, 'id', AbortSignal.timeout(200))).rejects.toThrow('mail not sent')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(server.received).toEqual([])
})
