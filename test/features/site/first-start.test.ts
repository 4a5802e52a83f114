// The first start: what the pages of an empty directory say, and to whom.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { callerOf, serverFields } from '../servers/support.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi({ settings: { DISCOVER: 'luanti' } })
const { pool } = api.deps
const { get } = formsOf(api.url)
const call = callerOf(api)
const admin = await addPerson(pool, { isAdmin: true })
const person = await addPerson(pool)

const done = async () => {
  const { body } = await call(admin, 'GET', '/admin/first-steps')
  const { isNew, steps } = body as { isNew: boolean; steps: { name: string; isDone: boolean }[] }
  return { isNew, done: steps.filter(({ isDone }) => isDone).map(({ name }) => name) }
}

it('an empty directory says that it is new, and what to do only to an administrator', async () => {
  for (const who of [undefined, person, admin, person, undefined]) {
    const { html } = await get('/', who)
    expect(html).toContain('<b>This directory is new')
    expect(html.includes('First steps')).toBe(who === admin)
  }
  const { html } = await get('/', admin)
  for (const line of [
    'npm start -- --discover luanti',
    'npm run servers -- import servers.csv',
    'npm start -- --demo',
    'SMTP_URL=',
  ])
    expect(html.includes(line)).toBe(line !== 'npm start -- --discover luanti') // done: DISCOVER is set
  expect(html).toContain('<a href="/admin/appearance">Set the appearance</a>')
  expect(html).toContain('2 of 6 done')
})

it('steps are ticked when they are done, and the list goes from the front page once a server is listed', async () => {
  expect(await done()).toEqual({ isNew: true, done: ['administrator', 'sources'] })
  expect((await call(person, 'POST', '/servers', serverFields())).status).toBe(201)
  expect(await done()).toEqual({ isNew: false, done: ['administrator', 'sources', 'import'] })
  const { html } = await get('/', admin)
  expect(html).not.toMatch(/<b>This directory is new|<h2>First steps/)
  expect((await get('/admin', admin)).html).toMatch(/<details class="card"><summary><h2>First steps<\/h2>/)
})
