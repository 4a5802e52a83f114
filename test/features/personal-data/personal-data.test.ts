// The file of everything that is stored about an account: all parts, no one else's, no secret, and how often.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_ENTRIES, PARTS, readPersonalData } from '../../../src/features/personal-data/personal-data.service.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { voteOnce } from '../votes/support.ts'
import { addPersonWithEverything, hash, SECRETS } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const addEverything = () => addPersonWithEverything(api)

type Parts = Record<string, Record<string, unknown>[]>

const download = (who?: Person) => api.request('/api/user/data', { headers: who ? { cookie: who.cookie } : {} })

async function partsOf(who: Person): Promise<Parts> {
  const response = await download(who)
  expect(response.status).toBe(200)
  return (await fieldsOf(response)).parts as Parts
}

describe('the file', () => {
  test('has entries of every part, none of a person without any, and is saved by browsers', async () => {
    const { person } = await addEverything()
    const response = await download(person)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="account-data.json"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { parts, incomplete, exportedAt } = (await fieldsOf(response)) as { parts: Parts } & Record<string, unknown>
    expect(Object.keys(parts)).toEqual(PARTS.map(({ name }) => name))
    expect(Object.entries(parts).filter(([, entries]) => entries.length === 0)).toEqual([])
    expect([incomplete, Date.parse(String(exportedAt)) > 0]).toEqual([[], true])
    expect(parts.account).toMatchObject([{ id: person.id, email: `${person.id}@example.com` }])
    expect(parts.votes).toMatchObject([{ username: 'Me', gamePlatformId: `platform-${person.id}` }])
    expect(parts.auditLog?.map(({ id: _id, at: _at, ...entry }) => entry)).toEqual([
      { action: 'server.update', isByYou: true },
      { action: 'user.update', isByYou: false, details: {} },
      { action: 'server.member.change', isByYou: true },
      { action: 'server.handover', isByYou: true },
      { action: 'server.member.join', isByYou: true },
      { action: 'report.delete', isByYou: true },
      {
        action: 'user.identity.link',
        isByYou: true,
        details: { provider: 'gameplatform', identity: `platform-${person.id}`, formerIdentity: null },
      },
      { action: 'user.update', isByYou: true },
      {
        action: 'user.api-key.create',
        isByYou: true,
        details: { keyId: expect.any(String), scopes: expect.any(Array) },
      },
    ])
    const empty = await partsOf(await addPerson(pool))
    const filled = Object.entries(empty).filter(([, entries]) => entries.length > 0)
    expect(filled.map(([name]) => name).sort()).toEqual(['account', 'sessions'])
  })

  test('has the votes under the linked game account in every spelling of its identifier', async () => {
    const { person, serverId } = await addEverything()
    await pool.query(`update users set game_platform_id = '76561197960270419' where id = $1`, [person.id])
    for (const gamePlatformId of ['STEAM_0:1:2345', '[U:1:4691]', '76561197960270419', 'STEAM_0:0:2345'])
      await voteOnce(api, serverId, { gamePlatformId })
    const votes = (await partsOf(person)).votes as { gamePlatformId: string }[]
    expect(votes.map(({ gamePlatformId }) => gamePlatformId).sort()).toEqual([
      '76561197960270419',
      'STEAM_0:1:2345',
      '[U:1:4691]',
    ])
  })

  test('has no secret, and no field that sounds like one', async () => {
    const { person } = await addEverything()
    const text = await (await download(person)).text()
    const stored = [...Object.values(SECRETS), 'https://pay.example/secret', person.cookie.slice('session='.length)]
    for (const secret of stored) expect(text).not.toContain(secret)
    const { parts } = JSON.parse(text) as { parts: Parts }
    const fields = new Set(Object.values(parts).flatMap((entries) => entries.flatMap((entry) => Object.keys(entry))))
    const suspicious = [...fields].filter((name) => /password|secret|token|hash|url$|key$/i.test(name)).sort()
    // The game server shows a claim's token; pictures are public by their hash; a key's public
    // half; addresses of pages.
    expect(suspicious).toEqual(['avatarUrl', 'bannerHash', 'bannerUrl', 'chatUrl', 'key', 'logoHash', 'token'])
    expect(text).not.toContain('"type":"Buffer"')
  })

  test('does not say who acted on the account, and whose the other accounts are', async () => {
    const { person, other } = await addEverything()
    const { teamMembers, sentInvitations, ...parts } = await partsOf(person)
    expect(teamMembers).toMatchObject([{ userId: other.id }]) // whom the person has invited
    expect(sentInvitations).toMatchObject([{ userId: other.id }])
    expect(JSON.stringify(parts)).not.toContain(other.id)
  })

  test('has the messages under an address only once it is verified', async () => {
    const { person } = await addEverything()
    await pool.query('update users set email_verified_at = null where id = $1', [person.id])
    expect((await partsOf(person)).contactMessages).toEqual([])
  })

  test('holds a bounded number of entries, and says of which parts there are more', async () => {
    const { person } = await addEverything()
    const file = JSON.parse((await Array.fromAsync(readPersonalData(pool, person.id, 1))).join('')) as {
      incomplete: string[]
      parts: Parts
    }
    expect(file.incomplete).toEqual(['bids', 'auditLog', 'voteRewards', 'invitations'])
    expect(file.parts.auditLog).toMatchObject([{ action: 'server.update' }])
  })
})

/** Adds entries of the audit log whose details are all different, with about 1500 characters. */
async function addEntries(person: Person, count: number): Promise<void> {
  await pool.query(
    `insert into audit_log (id, actor_id, action, target_type, target_id, details)
     select gen_random_uuid(), $1::uuid, 'user.update', 'user', $1::uuid::text, jsonb_build_object('text', n || repeat('x', 1500))
     from generate_series(1, $2::int) as n`,
    [person.id, count],
  )
}

test('a file of more than 8 MB, which is more than a client may leave unread, arrives, with each entry once', async () => {
  const person = await addPerson(pool)
  await addEntries(person, MAX_ENTRIES + 1)
  const text = await (await download(person)).text()
  expect(text.length).toBeGreaterThan(8 * 1024 * 1024)
  const { parts, incomplete } = JSON.parse(text) as { parts: Parts; incomplete: string[] }
  const ids = parts.auditLog?.map(({ id }) => String(id)) ?? []
  expect([ids.length, incomplete]).toEqual([MAX_ENTRIES, ['auditLog']])
  expect(new Set(ids).size).toBe(MAX_ENTRIES)
  expect(ids).toEqual(ids.toSorted().reverse())
})

test('a part is read from the database as fast as the client takes it', async () => {
  const person = await addPerson(pool)
  await addEntries(person, MAX_ENTRIES)
  const socket = connect(api.server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
    if (received.includes('xxx')) socket.pause()
  })
  socket.write(`GET /api/user/data HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\nConnection: close\r\n\r\n`)
  await expect.poll(() => socket.isPaused(), { timeout: 10_000 }).toBe(true)
  // The sockets' buffers have less than the 15 MB of the part, of which these are the last.
  await pool.query(
    `update audit_log set details = '{"text":"changed"}'
     where id in (select id from audit_log where actor_id = $1 order by id limit 500)`,
    [person.id],
  )
  socket.removeAllListeners('data')
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.resume()
  await once(socket, 'close')
  expect(received.split('"changed"')).toHaveLength(501)
})

test('a file needs a session, and there are ten a day', async () => {
  const person = await addPerson(pool)
  expect((await download()).status).toBe(401)
  const secret = randomBytes(32).toString('base64url')
  await pool.query(`insert into api_keys (id, user_id, name, key, secret_hash) values ($1, $2, 'A key', $3, $4)`, [
    uuidv7(),
    person.id,
    `sd_${'a'.repeat(24)}`,
    hash(secret),
  ])
  const byKey = { authorization: `Bearer sd_${'a'.repeat(24)}.${secret}` }
  expect((await api.request('/api/user/data', { headers: byKey })).status).toBe(403)
  for (let n = 0; n < 10; n++) expect((await download(person)).status).toBe(200)
  const refused = await download(person)
  expect([refused.status, (await fieldsOf(refused)).error]).toEqual([429, 'rate_limited'])
  expect((await download(await addPerson(pool))).status).toBe(200)
})
