// The list of servers by how few networks their votes came from, which moderators read.
import { beforeAll, expect, test } from 'vitest'
import { findVoteNetworks } from '../../../src/features/votes/networks.sql.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { addServer, age, vote } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1' } })
const { pool } = api.database
const [moderator, owner] = [await addPerson(pool, { isAdmin: true }), await addPerson(pool, { tier: 'standard' })]
const from = (address: string) => ({ 'x-forwarded-for': address })
const get = async <Body>(path: string) =>
  (await fieldsOf(await api.request(`/api/admin/${path}`, { headers: { cookie: moderator.cookie } }))) as Body

/** All servers with votes, past what a reply remembers. */
const found = async () => (await findVoteNetworks(pool, { minVotes: 1, limit: 10, offset: 0 })).servers

let forged: string
let honest: string
let small: string

beforeAll(async () => {
  forged = await addServer(pool, { name: 'Forged' })
  honest = await addServer(pool, { name: 'Honest', ownerId: owner.id })
  small = await addServer(pool, { name: 'Small' })
  const key = bearer(await createKey(api, owner))
  // Five addresses of one IPv4 /24.
  for (let n = 0; n < 5; n++) await vote(api, forged, {}, from(`203.0.113.${n}`))
  await vote(api, forged, {}, from('198.51.100.1'))
  for (let n = 0; n < 2; n++) await vote(api, honest, {}, from(`192.0.${n}.1`))
  // 192.0.2.1 and 192.0.3.1, as NAT64 shows them.
  for (const address of ['64:ff9b::c000:201', '64:ff9b::c000:301']) await vote(api, honest, {}, from(address))
  for (let n = 0; n < 2; n++) await vote(api, honest, {}, { ...key, ...from('203.0.113.9') })
  await vote(api, small, {}, from('203.0.113.1'))
})

test('servers with the most votes per network first, owners’ votes apart', async () => {
  const first = {
    id: forged,
    name: 'Forged',
    votes: 6,
    networks: 2,
    topNetwork: expect.any(String),
    topNetworkVotes: 5,
    topNetworkShare: 5 / 6,
    ownerVotes: 0,
  }
  expect(await get('vote-networks?minVotes=2')).toEqual({
    servers: [
      first,
      {
        id: honest,
        name: 'Honest',
        votes: 4,
        networks: 4,
        topNetwork: expect.any(String),
        topNetworkVotes: 1,
        topNetworkShare: 0.25,
        ownerVotes: 2,
      },
    ],
    pagination: { page: 1, limit: 20, total: 2, totalPages: 1 },
  })
  expect(await get('vote-networks?minVotes=1&limit=1')).toEqual({
    servers: [first],
    pagination: { page: 1, limit: 1, total: 3, totalPages: 3 },
  })
  expect(await get('vote-networks?minVotes=1&limit=1&page=9')).toMatchObject({ servers: [], pagination: { total: 3 } })
  expect(await get('vote-networks')).toMatchObject({ servers: [], pagination: { total: 0, limit: 20 } })
})

test('the largest network selects the votes that it is said to have sent', async () => {
  for (const { id, topNetwork, topNetworkVotes } of await found()) {
    const preview = await get(`votes/preview?serverId=${id}&networks=${topNetwork}`)
    expect(preview).toMatchObject({ votes: topNetworkVotes, networks: [{ network: topNetwork }] })
  }
})

test('votes that are voided, older than a week or of an unknown network do not count, and owners’ do without one', async () => {
  const votesOf = async (id: string) => (await found()).find((server) => server.id === id)
  await pool.query('update votes set voiding_id = gen_random_uuid() where server_id = $1 and number <= 5', [forged])
  expect(await votesOf(forged)).toMatchObject({ votes: 1, networks: 1, topNetworkVotes: 1 })
  await pool.query('update votes set network_key = null where server_id = $1', [honest])
  expect(await votesOf(honest)).toMatchObject({
    id: honest,
    name: 'Honest',
    votes: 0,
    networks: 0,
    topNetwork: null,
    topNetworkVotes: 0,
    topNetworkShare: 0,
    ownerVotes: 2,
  })
  await age(pool, small, '7 days')
  expect(await votesOf(small)).toBeUndefined()
})
