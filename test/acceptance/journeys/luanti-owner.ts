// A Luanti server announces itself and is listed without an account; later its owner claims it, and writes its listing.
import { expect, test } from 'vitest'
import { luantiServer } from '../../workers/polling/luanti-server.ts'
import { addVotes, listingPage } from '../directory.ts'
import { database, newVisitor, product, register, WAIT_OPTIONS } from '../product.ts'

const HOST = '127.0.42.1'
const ATTACKER = '127.0.42.66'

/** As a Luanti server sends it. @param from the sender's address */
async function announce(fields: object, from = HOST): Promise<number> {
  const form = new FormData()
  form.set('json', JSON.stringify({ gameid: 'minetest', uptime: 0, clients_max: 13, ...fields }))
  const response = await fetch(`${product.url}/announce`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: form,
  })
  await response.body?.cancel()
  return response.status
}

/** As if a minute had passed since the server was queried for its announcement. */
const passMinute = () =>
  database.query(`update announcements set checked_at = checked_at - interval '1 minute' where address = $1`, [HOST])

test('a Luanti server is listed, kept up to date and taken off by its announcements; once claimed, they change nothing that its owner wrote', async () => {
  const { port } = await luantiServer(HOST)
  const own = { port, name: 'The valley of mapgens', description: 'Caves and rivers', mods: ['farming'], clients: 2 }
  const found = async () => (await listingPage({ q: `${HOST}:${port}` })).servers
  expect(await announce({ ...own, action: 'start' })).toBe(202)
  const listed = { name: own.name, isClaimed: false, source: 'announcements', isOnline: true, maxPlayers: 13 }
  await expect.poll(found, WAIT_OPTIONS).toMatchObject([{ ...listed, currentPlayers: 2 }])
  const [{ id } = { id: '' }] = await found()
  const path = `/api/servers/${id}`
  const detail = async () => (await newVisitor().get(path)).body
  await addVotes(id, 1)

  expect(await announce({ ...own, action: 'update', clients: 5 })).toBe(202)
  const updated = { ...listed, currentPlayers: 5, description: own.description, mods: 'farming', totalVotes: 1 }
  await expect.poll(detail, WAIT_OPTIONS).toMatchObject(updated)
  for (const action of ['update', 'delete'])
    expect(await announce({ ...own, action, address: HOST, name: 'A trap' }, ATTACKER)).toBe(403)
  expect(await detail()).toMatchObject(updated)

  expect(await announce({ port, action: 'delete' })).toBe(202)
  await expect.poll(async () => (await newVisitor().get(path)).status, WAIT_OPTIONS).toBe(404)
  expect(await found()).toEqual([])
  await passMinute()
  expect(await announce({ ...own, action: 'start', clients: 0 })).toBe(202)
  await expect.poll(found, WAIT_OPTIONS).toMatchObject([{ ...listed, id, currentPlayers: 0, totalVotes: 1 }])

  const owner = await register()
  const { body } = await owner.client.post<{ verificationToken: string }>(`${path}/claim`)
  expect(await announce({ ...own, action: 'start', name: `The valley ${body.verificationToken}` })).toBe(202)
  // Each poll looks for the token.
  await expect.poll(detail, WAIT_OPTIONS).toMatchObject({ isClaimed: true, isVerified: true })
  expect((await owner.client.get(`${path}/claim`)).body).toMatchObject({ status: 'verified' })
  const written = { name: 'Valley of the Ash', description: 'Written by its owner', mods: 'farming,our own' }
  expect(await owner.client.patch(path, { ...written, nameFromServer: false })).toMatchObject({ status: 200 })

  expect(await announce({ ...own, action: 'update', clients: 9 })).toBe(202)
  const kept = { ...written, isClaimed: true, isVerified: true, totalVotes: 1 }
  await expect.poll(detail, WAIT_OPTIONS).toMatchObject({ ...kept, currentPlayers: 9 })
  expect(await announce({ port, action: 'delete' })).toBe(202)
  expect((await owner.client.get(`${path}/listing`)).body).toMatchObject({ ...kept, visibility: 'listed' })
})
