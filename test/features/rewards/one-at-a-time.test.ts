// Rewards with a whole worker: one of a server at a time.
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'
import { createRconWorld } from '../rcon/support.ts'
import { voteOnce } from '../votes/support.ts'
import { startTestWorker } from '../webhooks/support.ts'

const api = await startTestApi({ settings: { VOTES_PER_ADDRESS_PER_DAY: '0' } })
const { call, open, list, configure } = createRconWorld(api)

const set = async (owner: Person, id: string) =>
  expect(
    await call(owner, 'PUT', `/servers/${id}/vote-rewards`, { when: 'vote', commands: ['say {username}'] }),
  ).toMatchObject({ status: 200 })

const voteTimes = (id: string, times: number) =>
  Promise.all(Array.from({ length: times }, (_, n) => voteOnce(api, id, { username: `Ann${n}` })))

const ended = async (id: string) => {
  const { rows } = await api.database.pool.query<{ outcome: string; count: number }>(
    `select outcome, count(*) from vote_rewards where server_id = $1 and settled_at is not null group by 1 order by 1`,
    [id],
  )
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

test('twenty rewards of a server with a wrong password make one login', async () => {
  const { id, owner, game } = await open()
  await configure(owner, id, game.port, 'not that one')
  await set(owner, id)
  await voteTimes(id, 20)
  await startTestWorker(api)
  await expect.poll(() => ended(id), { timeout: 30_000 }).toEqual({ stopped: 19, wrong_password: 1 })
  expect(game.logins).toEqual(['not that one'])
})

test('a silent server with many rewards does not delay another’s, which run one after the other at once', async () => {
  const silent = await open({ fault: 'mute' })
  const other = await open()
  await set(silent.owner, silent.id)
  await set(other.owner, other.id)
  await voteTimes(silent.id, 40)
  await voteTimes(other.id, 20)
  await startTestWorker(api)
  await expect.poll(() => ended(other.id), { timeout: 30_000 }).toEqual({ answered: 20 })
  expect(other.game.mostAtOnce()).toBe(1)
  const begun = 'select from vote_rewards where server_id = $1 and started_at is not null'
  expect((await api.database.pool.query(begun, [silent.id])).rowCount).toBeLessThan(4)
})

test('more silent servers than a worker has places delay a healthy one by one attempt each, not by one for each of their votes', async () => {
  const silent = await open({ fault: 'mute' })
  const ids = [silent.id]
  await set(silent.owner, silent.id)
  while (ids.length < 70) {
    const { id, owner } = await list()
    await configure(owner, id, silent.game.port)
    await set(owner, id)
    ids.push(id)
  }
  const healthy = await open()
  await set(healthy.owner, healthy.id)
  for (let round = 0; round < 3; round++)
    await Promise.all(ids.map((id) => voteOnce(api, id, { username: `Ann${round}` })))
  await voteTimes(healthy.id, 1)
  await startTestWorker(api)
  await expect.poll(() => ended(healthy.id), { timeout: 60_000, interval: 200 }).toEqual({ answered: 1 })
  const { rows } = await api.database.pool.query<{ attempts: number }>(
    `select sum(attempts + (started_at is not null)::integer)::integer as attempts from vote_rewards
     where server_id = any($1) group by server_id order by 1 desc limit 1`,
    [ids],
  )
  expect(rows).toEqual([{ attempts: 1 }])
}, 120_000)
