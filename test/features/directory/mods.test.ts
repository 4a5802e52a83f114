// A server's mods as a list.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { insertServer, setDeleted } from './rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database

async function modsOf(mods: string) {
  const id = await insertServer(pool, { mods })
  await api.directory.refresh()
  const response = await api.request(`/api/servers/${id}/mods`)
  expect(response.status).toBe(200)
  return response.json()
}

it('lists the mods in the owner’s order, without spaces around them or empty ones', async () => {
  expect(await modsOf(' Structures Plus,,Awesome "Spyglass"! , 731604991,')).toEqual({
    mods: [{ name: 'Structures Plus' }, { name: 'Awesome "Spyglass"!' }, { name: '731604991' }],
  })
  expect(await modsOf('')).toEqual({ mods: [] })
  expect(await modsOf(' , ,')).toEqual({ mods: [] })
})

it('follows the owner’s edits, below both base paths', async () => {
  const id = await insertServer(pool, { mods: 'one' })
  await api.directory.refresh()
  await pool.query(`update servers set mods = 'two' where id = $1`, [id])
  await api.directory.refresh()
  expect(await (await api.request(`/api/v1/servers/${id.toUpperCase()}/mods`)).json()).toEqual({
    mods: [{ name: 'two' }],
  })
})

it('is 404 for an unlisted server', async () => {
  const id = await insertServer(pool, { mods: 'one' })
  await setDeleted(pool, id, true)
  await api.directory.refresh()
  for (const unknown of [id, '00000000-0000-7000-8000-000000000000', 'no-id']) {
    const response = await api.request(`/api/servers/${unknown}/mods`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: 'not_found' })
  }
})
