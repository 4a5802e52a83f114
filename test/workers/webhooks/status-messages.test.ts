// The message that shows a server's status in a channel of Discord: one, whatever happens, against a
// stand-in of Discord.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { statusBody } from '../../../src/features/webhooks/status-messages/embed.ts'
import { pauseSecondsOf } from '../../../src/features/webhooks/status-messages/requests.ts'
import { startProcess } from '../../support/processes.ts'
import { createWorld, type Received, startReceiver } from './support.ts'

const world = await createWorld()
const { pool } = world
const SOON = { timeout: 20_000, interval: 30 }
const ENV = { PUBLIC_BASE_URL: 'https://directory.example' }

type Answer = (res: ServerResponse) => void

let webhooks = 0

/** Keeps messages, unless `answers` has another answer for the next requests. */
async function startDiscord() {
  const messages = new Map<string, object>()
  const answers: Answer[] = []
  const { url, received } = await startReceiver((one, res) => {
    const answer = answers.shift()
    if (answer) return answer(res)
    const [, known] = /\/messages\/(\d+)/.exec(one.path) ?? []
    if (known && !messages.has(known)) return problem(404, 10_008)(res)
    const id = known ?? String(1_000 + messages.size)
    messages.set(id, JSON.parse(one.body))
    // The id comes after what is longer than a kilobyte.
    res.writeHead(200).end(JSON.stringify({ content: '', embeds: ['x'.repeat(3_000)], id }))
  })
  return {
    url,
    messages,
    answers,
    received,
    /** Of a webhook of its own. */
    newUrl: () => `${url}/api/webhooks/${++webhooks}/token?thread_id=7`,
    posts: () => received.filter(isPost).length,
    edits: () => received.filter((one) => !isPost(one)).length,
  }
}

const isPost = ({ path }: Received) => path.includes('wait=true')
const problem =
  (status: number, code: number, more: object = {}, headers: Record<string, string> = {}): Answer =>
  (res) =>
    res.writeHead(status, headers).end(JSON.stringify({ message: 'No', code, ...more }))

const embedOf = ({ body }: Received) => JSON.parse(body).embeds[0]

async function messageOf(id: string) {
  const { rows } = await pool.query<{
    messageId: string | null
    error: string | null
    isFree: boolean
    dueIn: number
    disabledReason: string | null
  }>(
    `select message_id as "messageId", error, message.leased_until is null as "isFree", disabled_reason as "disabledReason",
       extract(epoch from due_at - now())::float8 as "dueIn"
     from discord_messages as message join endpoints on endpoints.id = endpoint_id where endpoint_id = $1`,
    [id],
  )
  return rows[0]
}

const setPlayers = (id: string, players: number) =>
  pool.query('update server_status set current_players = $2 where server_id = $1', [id, players])
/** As if a minute had passed. */
const makeDue = (id: string) => pool.query('update discord_messages set due_at = now() where endpoint_id = $1', [id])
const mailsAbout = async (id: string) => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from pgboss.job where name = 'mail' and data->>'endpointId' = $1`,
    [id],
  )
  return rows[0]?.count
}

describe('the message', () => {
  it('is created once, and edited when something has changed and a minute has passed', async () => {
    const discord = await startDiscord()
    const [id, other] = [await world.addStatusMessage(discord.newUrl()), await world.addStatusMessage(discord.newUrl())]
    await world.startWorker(ENV)
    for (const each of [id, other])
      await expect.poll(() => messageOf(each), SOON).toMatchObject({ messageId: expect.any(String), isFree: true })
    expect(discord.received[0]?.path).toMatch(/^\/api\/webhooks\/\d+\/token\?thread_id=7&wait=true$/)
    await setPlayers(id, 5)
    expect((await messageOf(id))?.dueIn).toBeGreaterThan(30)
    expect(discord.edits()).toBe(0)
    await makeDue(other) // nothing of it has changed
    await makeDue(id)
    await expect.poll(discord.edits, SOON).toBe(1)
    const edit = discord.received.at(-1)
    const { messageId } = (await messageOf(id)) ?? {}
    expect(edit?.path).toMatch(new RegExp(`^/api/webhooks/\\d+/token/messages/${messageId}\\?thread_id=7$`))
    expect(edit && embedOf(edit).fields[0]).toEqual({ name: 'Players', value: '5 / 10', inline: true })
    expect(discord.messages.size).toBe(2)
  })

  it('has names that mention no one and format nothing, the line of the day, and how to join', async () => {
    const discord = await startDiscord()
    const id = await world.addStatusMessage(discord.newUrl())
    await pool.query('update servers set name = $2 where id = $1', [id, '@everyone **x** [a](http://evil.example)'])
    await pool.query('update server_status set map = $2 where server_id = $1', [id, '`<@1>`'])
    await pool.query(`update player_history_progress set rolled_to = date_trunc('hour', now())`)
    await pool.query(
      `insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
       select $1, (select rolled_to from player_history_progress) - make_interval(hours => ago), 10, 10, 10 * players, players, 10
       from (values (1, 8), (2, 0)) as hour (ago, players)`,
      [id],
    )
    await world.startWorker(ENV)
    await expect.poll(discord.posts, SOON).toBe(1)
    const { embeds, allowed_mentions } = JSON.parse(discord.received[0]?.body ?? '')
    expect(allowed_mentions).toEqual({ parse: [] })
    const link = `https://directory.example/servers/${id}`
    expect(embeds[0]).toMatchObject({
      title: '\\@everyone \\*\\*x\\*\\* \\[a\\]\\(http\\://evil.example\\)',
      url: link,
      description: `**Online** · [Join](${link})`,
      fields: [
        { name: 'Players', value: '3 / 10' },
        { name: 'Map', value: '\\`\\<\\@1\\>\\`' },
        { name: 'Address', value: expect.stringMatching(/^`10\.0\.0\.1:\d+`$/) },
        { name: 'Last 24 hours', value: `\`${'·'.repeat(22)}▁█\` up to 8` },
      ],
    })
  })

  it('says no less than it shows beside the line of the day', () => {
    const server = { serverId: randomUUID(), name: 'A server', game: 'ase', ipAddress: '192.0.2.1', gamePort: 7777 }
    const status = { gamePortGiven: true, isOnline: true, players: 12, maxPlayers: 20, map: '' }
    const body = statusBody({ ...server, ...status }, [8, 0], { baseUrl: 'https://directory.example', at: new Date() })
    expect(body).toContain('up to 12')
  })

  it('that was deleted is created again, and a deleted webhook disables the endpoint and is mailed to the owner', async () => {
    const discord = await startDiscord()
    const id = await world.addStatusMessage(discord.newUrl())
    const { rows } = await pool.query<{ id: string }>(
      `insert into users (id, username) values (gen_random_uuid(), 'Owner of a message') returning id`,
    )
    await pool.query('update servers set owner_id = $2 where id = $1', [id, rows[0]?.id])
    await world.startWorker(ENV)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: '1000' })
    discord.messages.clear()
    discord.messages.set('999', {})
    await setPlayers(id, 4)
    await makeDue(id)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: null, isFree: true })
    await setPlayers(id, 3) // as the deleted message showed
    await makeDue(id)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: '1001' })
    expect([discord.posts(), discord.edits()]).toEqual([2, 1])

    discord.answers.push(problem(404, 10_015))
    await setPlayers(id, 5)
    await makeDue(id)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ disabledReason: 'gone' })
    expect(await mailsAbout(id)).toBe(1)
  })
})

describe('Discord’s limits', () => {
  it('pause a webhook for at most an hour, whatever a reply says', () => {
    const pauseOf = (seconds: string) =>
      pauseSecondsOf({
        ...{ status: 200, latencyMs: 1, response: '' },
        rateLimit: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': seconds },
      })
    expect(['300', '1e300', '-1', 'soon'].map(pauseOf)).toEqual([300, 3_600, undefined, undefined])
  })

  it('hold for the webhook that has no requests left, and for all after a global one', async () => {
    const discord = await startDiscord()
    const url = discord.newUrl()
    const id = await world.addStatusMessage(url)
    discord.answers.push(
      problem(429, 0, { retry_after: 0.4, global: true }, { 'retry-after': '1', 'x-ratelimit-global': 'true' }),
      (res) =>
        res
          .writeHead(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '300' })
          .end(JSON.stringify({ id: '5' })),
    )
    await world.startWorker(ENV)
    await expect.poll(discord.posts, SOON).toBe(1)
    const other = await world.addStatusMessage(discord.newUrl()) // waits too
    await expect.poll(() => messageOf(other), SOON).toMatchObject({ messageId: expect.any(String) })
    const [limitedAt = 0, nextAt = 0] = discord.received.map(({ at }) => at)
    expect(nextAt - limitedAt).toBeGreaterThanOrEqual(390)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: expect.any(String), error: null })

    const { rows } = await pool.query<{ scope: string; seconds: number }>(
      `select scope, extract(epoch from until - now())::float8 as seconds from discord_pauses where until > now()`,
    )
    expect(rows).toEqual([{ scope: expect.stringMatching(/^\d+$/), seconds: expect.any(Number) }])
    expect(rows[0]?.seconds).toBeGreaterThan(200)
    await pool.query('delete from discord_pauses')
  })
})

describe('an edit that fails', () => {
  it.each<[string, Answer, string]>([
    ['an error of Discord’s', problem(503, 0), 'HTTP 503'],
    ['a connection that is cut', (res) => res.destroy(), 'connection closed'],
  ])('by %s is sent again later, also if the server is as before', async (_, answer, error) => {
    const discord = await startDiscord()
    const id = await world.addStatusMessage(discord.newUrl())
    await world.startWorker(ENV)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: '1000' })
    discord.answers.push(answer)
    await setPlayers(id, 4)
    await makeDue(id)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ error, messageId: '1000' })
    await setPlayers(id, 3)
    await makeDue(id)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ error: null })
    expect([discord.posts(), discord.edits()]).toEqual([1, 2])
  })
})

describe('a creation', () => {
  it('that never left is tried again', async () => {
    const id = await world.addStatusMessage('http://127.0.0.1:1/api/webhooks/77/token')
    await world.startWorker(ENV)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ error: expect.any(String), isFree: true })
    expect(await messageOf(id)).toMatchObject({ disabledReason: null, messageId: null })
    await pool.query('delete from endpoints where id = $1', [id])
  })

  it.each<[string, Answer]>([
    ['a gateway’s error', problem(502, 0)],
    ['a reply that is cut', (res) => res.destroy()],
    ['a reply without its end', (res) => res.writeHead(200).end('{"embeds":[')],
  ])('whose outcome is unknown by %s is not repeated, and the owner is asked to look', async (_, answer) => {
    const discord = await startDiscord()
    const id = await world.addStatusMessage(discord.newUrl())
    discord.answers.push(answer)
    await world.startWorker(ENV)
    await expect.poll(() => messageOf(id), SOON).toMatchObject({ disabledReason: 'unconfirmed', messageId: null })
    await setPlayers(id, 9)
    await makeDue(id)
    const other = await world.addStatusMessage(discord.newUrl())
    await expect.poll(() => messageOf(other), SOON).toMatchObject({ messageId: expect.any(String) })
    expect(discord.posts()).toBe(2)
  })

  it('in whose middle the worker is killed is not repeated by another worker; an edit is', async () => {
    const discord = await startDiscord()
    const edited = await world.addStatusMessage(discord.newUrl())
    const killed = await startProcess('workers/main.ts', world.url, { LOG_LEVEL: 'fatal' })
    await expect.poll(() => messageOf(edited), SOON).toMatchObject({ messageId: '1000' })
    discord.answers.push(
      () => undefined,
      () => undefined,
    ) // neither answers
    const created = await world.addStatusMessage(discord.newUrl())
    await setPlayers(edited, 6)
    await makeDue(edited)
    await expect.poll(() => discord.received.length, SOON).toBe(3)
    killed.child.kill('SIGKILL')
    await expect.poll(killed.running, SOON).toBe(false)
    await setPlayers(edited, 3) // as before the edit, which may have arrived
    // As if the leases had ended.
    await pool.query(`update discord_messages set leased_until = now() - interval '1 second', due_at = now()
      where leased_until is not null`)
    await world.startWorker(ENV)
    await expect.poll(discord.edits, SOON).toBe(2)
    await expect.poll(() => messageOf(created), SOON).toMatchObject({ disabledReason: 'unconfirmed' })
    expect(discord.posts()).toBe(2)
  })

  it('is one for each message, whatever workers look for them at once', async () => {
    const discord = await startDiscord()
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.addStatusMessage(discord.newUrl())))
    await Promise.all([world.startWorker(ENV), world.startWorker(ENV), world.startWorker(ENV)])
    for (const id of ids)
      await expect.poll(() => messageOf(id), SOON).toMatchObject({ messageId: expect.any(String), isFree: true })
    expect(discord.posts()).toBe(ids.length)
  })
})
