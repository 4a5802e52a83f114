// The number of servers that one account may list: LISTINGS_PER_ACCOUNT.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { callerOf, serverFields } from './support.ts'

const api = await startTestApi({ settings: { LISTINGS_PER_ACCOUNT: '3' } })
const { pool } = api.database
const call = callerOf(api)
const list = (by: Parameters<typeof call>[0]) => call(by, 'POST', '/servers', serverFields())

it('an account lists as many servers as the setting says, also with simultaneous requests', async () => {
  const person = await addPerson(pool)
  const answers = await Promise.all(Array.from({ length: 12 }, () => list(person)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(400)])
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
    error: 'too_many_listings',
    message: 'Your account may have at most 3 servers listed.',
  })
  const { rows } = await pool.query('select from servers where owner_id = $1 and deleted_at is null', [person.id])
  expect(rows).toHaveLength(3)
})

it('a removed server allows another', async () => {
  const person = await addPerson(pool)
  const { body } = await list(person)
  for (let n = 0; n < 2; n++) await list(person)
  expect((await list(person)).status).toBe(400)
  const { id } = body.server as { id: string }
  expect((await call(person, 'DELETE', `/servers/${id}`)).status).toBe(200)
  expect((await list(person)).status).toBe(201)
})

it('administrators can list more', async () => {
  const admin = await addPerson(pool, { isAdmin: true })
  for (let n = 0; n < 4; n++) expect((await list(admin)).status).toBe(201)
})

it('0 is no limit', async () => {
  const unbounded = await startTestApi({ settings: { LISTINGS_PER_ACCOUNT: '0' } })
  const person = await addPerson(unbounded.database.pool)
  for (let n = 0; n < 4; n++)
    expect((await callerOf(unbounded)(person, 'POST', '/servers', serverFields())).status).toBe(201)
})
