// Compares the hand-written line of the access log with pino's.
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createAccessLog } from '../../../src/platform/http/fast-path/access-log.ts'
import { startTestApi } from '../../support/api.ts'
import { sampleRoutes } from './sample-routes.ts'

const line = {
  requestId: 'abc',
  client: 'v1',
  method: 'GET',
  route: '/a "quoted" path\n',
  status: 200,
  ms: 1.23456,
  bytes: 10,
  message: 'request handled',
} as const

function capture(level = 'info') {
  const lines: string[] = []
  const log = pino(
    {
      level,
      base: { process: 'api' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (text) => lines.push(text) },
  )
  return { log, lines }
}

it('a line equals the one pino writes', () => {
  const { log, lines } = capture()
  createAccessLog(log)(line)
  const { message, ...fields } = line
  log.info({ ...fields, ms: 1.23 }, message)
  const [ours, theirs] = lines.map((text) => text.replace(/"time":"[^"]+"/, '"time":"…"'))
  expect(ours).toBe(theirs)
  expect(JSON.parse(lines[0] ?? '').time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

it('nothing is written at the level warn', () => {
  const { log, lines } = capture('warn')
  createAccessLog(log)(line)
  expect(lines).toEqual([])
})

it('each request has one line, without the caller’s address or search terms', async () => {
  const { log, lines } = capture()
  const api = await startTestApi({ log, routes: sampleRoutes(), settings: { TRUST_PROXY: '1' } })
  const headers = { 'x-forwarded-for': '192.0.2.123', 'x-request-id': 'my-request' }
  await api.request('/api/samples?search=private', { headers })
  await api.request('/api/samples/missing', { headers })
  await api.request('/nothing/here?private', { headers })
  const requests = () => lines.map((text) => JSON.parse(text)).filter(({ requestId }) => requestId === 'my-request')
  await expect.poll(() => requests().length).toBe(3)
  expect(requests()).toMatchObject([
    {
      process: 'api',
      method: 'GET',
      route: '/samples',
      status: 200,
      bytes: expect.any(Number),
      msg: 'request handled',
    },
    { route: '/samples/{id}', status: 404 },
    { route: '/nothing/here', status: 404 },
  ])
  const clients = new Set(requests().map(({ client }) => client))
  expect(clients.size).toBe(1)
  expect(lines.join('')).not.toMatch(/192\.0\.2\.123|private/)
})

it('a request whose client disconnected is marked', async () => {
  const { log, lines } = capture()
  let entered: () => void = () => {}
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const api = await startTestApi({
    log,
    routes: sampleRoutes(() => {
      entered()
      return new Promise(() => {})
    }),
  })
  const socket = connect(api.server.port, '127.0.0.1')
  socket.write('GET /api/samples/slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await inside
  socket.destroy()
  await expect.poll(() => lines.join('')).toContain('request aborted by the client')
})
