// Moderators, and votes that are voided: by a selection, or because a daily job found them.
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import {
  database,
  detailOf,
  elsewhere,
  listServer,
  newVisitor,
  operator,
  type Person,
  register,
  WAIT_OPTIONS,
} from '../product.ts'
import { onceNeeded, section } from '../section.ts'

const theModerator = onceNeeded(async (): Promise<Person> => {
  const person = await register()
  const { status } = await elsewhere(operator).patch(`/api/admin/users/${person.id}`, { isModerator: true })
  expect(status).toBe(200)
  return person
})

async function addVotes(id: string, names: string[]): Promise<void> {
  for (const username of names) {
    const { status } = await newVisitor().post(`/api/servers/${id}/vote`, {
      visitorId: `visitor ${username} ${id}`,
      username,
    })
    expect(status).toBe(200)
  }
  await expect.poll(() => votesOf(id), WAIT_OPTIONS).toBe(names.length)
}

const votesOf = async (id: string) => (await detailOf(id)).totalVotes

section('moderation', {
  moderators: [
    'decide reports and hide servers; accounts, money and queues are refused',
    async () => {
      const [{ client }, { id }] = [await theModerator(), await listServer()]
      expect((await client.get('/api/admin/reports')).status).toBe(200)
      expect((await client.patch(`/api/admin/servers/${id}`, { hidden: true })).status).toBe(200)
      for (const path of ['users', 'queues', 'ad-slots', 'audit', 'stats'])
        expect([path, (await client.get(`/api/admin/${path}`)).status]).toEqual([path, 403])
    },
  ],
  'votes are voided and restored': [
    'after a preview, with a reason that the owner reads; counters follow',
    async () => {
      const [{ client }, { id, owner }] = [await theModerator(), await listServer()]
      await addVotes(id, ['Bot 1', 'Bot 2', 'Zoe'])
      const { body: preview } = await client.get(`/api/admin/votes/preview?serverId=${id}&name=bot*`)
      expect(preview).toMatchObject({ votes: 2, changes: [{ totalBefore: 3, totalAfter: 1 }] })
      const order = { serverId: id, name: 'bot*', reason: 'Sent by a script' }
      const { status, body: voiding } = await client.post<{ id: string }>('/api/admin/votes/void', order)
      expect(status).toBe(202)
      await expect.poll(() => votesOf(id), WAIT_OPTIONS).toBe(1)
      const { body } = await owner.client.get<{ votes: { voidReason: string }[] }>(`/api/servers/${id}/votes`)
      expect(body.votes.map(({ voidReason }) => voidReason)).toEqual(['Sent by a script', 'Sent by a script', ''])
      expect((await client.post(`/api/admin/votes/voidings/${voiding.id}/restore`)).status).toBe(202)
      await expect.poll(() => votesOf(id), WAIT_OPTIONS).toBe(3)
    },
  ],
  findings: [
    'are reports; "void" voids their votes and resolves them',
    async () => {
      const [{ client }, { id }] = [await theModerator(), await listServer()]
      await addVotes(id, ['Bot 3', 'Bot 4'])
      const report = uuidv7()
      // As `vote-signals` files it once a day.
      await database.query(
        `insert into reports (id, server_id, reason, signal, numbers, selection) values ($1, $2, 'votes', 'burst', $3, $4)`,
        [report, id, { votes: 2, selected: 2, usualShare: null, busiestDay: 0 }, { serverId: id }],
      )
      const { body } = await client.get(`/api/admin/reports?serverId=${id}`)
      expect(body).toMatchObject({ reports: [{ id: report, reason: 'votes', finding: { signal: 'burst', votes: 2 } }] })
      expect((await client.post(`/api/admin/reports/${report}/void`, { reason: 'Bought' })).status).toBe(202)
      await expect.poll(() => votesOf(id), WAIT_OPTIONS).toBe(0)
      expect((await client.get(`/api/admin/reports?serverId=${id}&status=open`)).body).toMatchObject({ reports: [] })
    },
  ],
})
