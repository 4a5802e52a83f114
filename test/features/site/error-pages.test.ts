// What a page shows after a failure of ours: words without details, and the reference by which the log finds it.
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { TEXTS } from '../../../src/features/site/texts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'

const logged: { msg: string; requestId?: string }[] = []
const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) })
const api = await startTestApi({ log })
const { pool } = api.database
const { cookie } = await addPerson(pool)
await pool.query('alter table favorites rename to favorites_elsewhere')

it.each([
  ['en', 'GET', undefined],
  ['de', 'GET', undefined],
  ['de', 'POST', new URLSearchParams({ id: '019aa000-0000-7000-8000-000000000000' })],
] as const)(
  '500 shows the id of its request, which the log has, and nothing of the failure (%s, %s)',
  async (language, method, body) => {
    const headers = { cookie, accept: 'text/html', 'accept-language': language, origin: 'http://localhost:0' }
    const reply = await fetch(`${api.url}/account/favorites`, { method, headers, ...(body && { body }) })
    expect(reply.status).toBe(500)
    const id = reply.headers.get('x-request-id') ?? ''
    expect(id).toMatch(/^[\w-]{8,}$/)
    const html = await reply.text()
    const { titles, hints, reference } = TEXTS[language].errors
    expect(html).toContain(`<h1>${titles[500]}</h1>`)
    expect(html).toContain(hints[500])
    expect(html).toContain(`<p>${reference} <code>${id}</code></p>`)
    expect(html).toMatch(new RegExp(`href="/contact\\?[^"]*${id}"`))
    expect(html).not.toContain('favorites_elsewhere')
    expect(logged.filter(({ requestId }) => requestId === id)).toEqual([
      expect.objectContaining({ msg: 'request failed' }),
    ])
  },
)
