// What a form may be: its size, its number of fields and its content type.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'

const api = await startTestApi()
const MAX_BYTES = 64 * 1024

const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  fetch(`${api.url}/logout`, { method: 'POST', redirect: 'manual', headers: { 'content-type': type }, body })
const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=${n}`).join('&')

it.each([
  ['distinct', fields],
  ['repeated', (count: number) => Array<string>(count).fill('a=1').join('&')],
])('200 %s fields are read, and the error for one more names the rule', async (_, fieldsOf) => {
  expect((await post(fieldsOf(200))).status).toBe(303)
  const refused = await post(fieldsOf(201))
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('must not have more than 200 fields')
})

it('64 kB are read, and a larger form is refused', async () => {
  expect((await post(`a=${'x'.repeat(MAX_BYTES - 2)}`)).status).toBe(303)
  const refused = await post(`a=${'x'.repeat(MAX_BYTES - 1)}`)
  expect(refused.status).toBe(413)
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

it('a form that is too large is refused before its end, and its connection closes', async () => {
  const socket = connect(api.server.port, '127.0.0.1')
  socket.write('POST /logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n')
  socket.write(`Transfer-Encoding: chunked\r\n\r\n11000\r\n${'x'.repeat(0x11000)}\r\n`)
  const received = await text(socket)
  expect(received).toMatch(/^HTTP\/1.1 413 /)
  expect(received).toMatch(/\r\nConnection: close\r\n/)
})

it('other content types are refused', async () => {
  expect((await post('--x--', 'multipart/form-data; boundary=x')).status).toBe(415)
})
