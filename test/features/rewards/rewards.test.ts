// Vote rewards as owners use them: commands that a worker sends to their game server, at most once for each vote.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import type { SendRcon } from '../../../src/features/rcon/index.ts'
import {
  createRewardRunner,
  runRewardsErasure,
  runRewardsReencryption,
  runRewardsUpkeep,
} from '../../../src/features/rewards/index.ts'
import { findRewardSettings } from '../../../src/features/rewards/settings.sql.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { createRconSender } from '../../../workers/rcon/send.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { startTestRconServer } from '../../support/rcon-server.ts'
import { startWebRconServer, type WebRconOptions } from '../../support/webrcon-server.ts'
import { handleWaitingNotices } from '../notifications/support.ts'
import { createRconWorld, PASSWORD } from '../rcon/support.ts'
import { voteOnce } from '../votes/support.ts'

const api = await startTestApi({ settings: { VOTES_PER_ADDRESS_PER_DAY: '0' } })
const { pool } = api.database
const { call, open, list, configure, entries } = createRconWorld(api)
const { run: handle, wake } = createRewardRunner(api.deps, createRconSender(api.deps.settings))

interface Reward {
  voteId: string
  username: string
  gamePlatformId: string
  status: string
  reason: string | null
  message: string | null
  commands: string[]
  commandsRun: number
  answer: string
  createdAt: string
  settledAt: string | null
}

const set = async (owner: Person, id: string, when: 'vote' | 'claim', ...commands: string[]) =>
  expect(await call(owner, 'PUT', `/servers/${id}/vote-rewards`, { when, commands })).toMatchObject({ status: 200 })

const rewardsOf = async (owner: Person, id: string) => {
  const { status, body } = await call(owner, 'GET', `/servers/${id}/vote-rewards/log`)
  expect(status).toBe(200)
  return (body as { rewards: Reward[] }).rewards
}

const notificationsOf = async (owner: Person) => {
  await handleWaitingNotices(api.deps)
  return (await call(owner, 'GET', '/user/notifications')).body.notifications
}

/** Ids of the votes whose jobs wait for a worker. */
const queued = async (id: string): Promise<string[]> =>
  (
    await pool.query(
      `select data->>'voteId' as id from pgboss.job join vote_rewards on vote_id = (data->>'voteId')::uuid
       where name = 'vote-reward' and server_id = $1 order by vote_id`,
      [id],
    )
  ).rows.map((row) => row.id as string)

/** What the job of a vote's reward came from. */
const causeOf = async (voteId: string | undefined): Promise<unknown> =>
  (
    await pool.query(
      `select data->'_cause' as cause from pgboss.job where name = 'vote-reward' and data->>'voteId' = $1`,
      [voteId],
    )
  ).rows[0]?.cause

/** How many jobs will run the server's waiting rewards later. */
const countWakes = async (id: string): Promise<number | null> =>
  (await pool.query(`select from pgboss.job where name = 'vote-reward-wake' and data->>'serverId' = $1`, [id])).rowCount

/** Lets the time pass for which a server's rewards wait after an attempt that sent nothing. */
const passWait = (id: string) =>
  pool.query(
    `with rcon as (update rcon_credentials set updated_at = updated_at - interval '10 minutes' where server_id = $1)
     update vote_reward_settings set failed_at = failed_at - interval '10 minutes', updated_at = updated_at - interval '10 minutes'
     where server_id = $1`,
    [id],
  )

const work = async (id: string) => {
  for (const voteId of await queued(id)) await handle({ voteId })
}

const claim = async (owner: Person, id: string, username: string) =>
  (await call(owner, 'POST', `/servers/${id}/votes/claim`, { username })).body

describe('a reward when a vote comes', () => {
  test('sends the commands in order with the player’s values, and shows what became of it', async () => {
    const { id, owner, game } = await open({
      answer: (command) => (command.startsWith('give') ? 'Gave 1 diamond to Ann' : ''),
    })
    await voteOnce(api, id, { username: 'Ann', gamePlatformId: '7656' })
    await set(
      owner,
      id,
      'vote',
      'give {username} diamond',
      'say {username} ({gamePlatformId}) has voted {votes} times, {streak} in a row',
    )
    await voteOnce(api, id, { username: 'Bob' })
    await voteOnce(api, id, { username: 'Anna', gamePlatformId: '7656' })
    expect((await rewardsOf(owner, id)).map(({ status }) => status)).toEqual(['waiting', 'waiting'])
    await work(id)
    // Bob gave no id, which the second command names: none of the commands is sent.
    expect(game.commands).toEqual(['give Anna diamond', 'say Anna (7656) has voted 2 times, 1 in a row'])
    expect(await rewardsOf(owner, id)).toEqual([
      {
        voteId: expect.any(String),
        username: 'Anna',
        gamePlatformId: '7656',
        status: 'ran',
        reason: 'answered',
        message: 'The game server has answered every command.',
        commands: ['give Anna diamond', 'say Anna (7656) has voted 2 times, 1 in a row'],
        commandsRun: 2,
        answer: 'Gave 1 diamond to Ann\n',
        createdAt: expect.any(String),
        settledAt: expect.any(String),
      },
      expect.objectContaining({
        username: 'Bob',
        status: 'not_run',
        reason: 'unrepresentable',
        message: expect.stringContaining('only letters from A to Z, digits'),
        commands: [],
        commandsRun: 0,
      }),
    ])
    expect(await entries(id)).toEqual([
      expect.objectContaining({ action: 'rcon.configure' }),
      expect.objectContaining({ action: 'vote-rewards.set', actorId: owner.id }),
      {
        actorId: owner.id,
        action: 'vote-reward.run',
        details: {
          voteId: expect.any(String),
          commands: ['give Anna diamond', 'say Anna (7656) has voted 2 times, 1 in a row'],
          commandsRun: 2,
          outcome: 'answered',
        },
      },
    ])
  })

  test('is queued with the vote or not at all', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
    await pool.query('create trigger refuse before insert on vote_rewards for each row execute function refuse()')
    const failed = await api.request(`/api/servers/${id}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ visitorId: 'a visitor of the trigger', username: 'Ann' }),
    })
    await pool.query('drop function refuse cascade')
    expect(failed.status).toBe(500)
    const { rows } = await pool.query('select count(*) from votes where server_id = $1', [id])
    expect([rows, await queued(id)]).toEqual([[{ count: 0 }], []])
  })

  test('runs once, however often its job is delivered, and is not repeated by a claim', async () => {
    const { id, owner, game } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await Promise.all(Array.from({ length: 6 }, () => handle({ voteId })))
    await handle({ voteId })
    await set(owner, id, 'claim', 'say {username} again')
    expect(await claim(owner, id, 'Ann')).toMatchObject({ claimed: 1 })
    await work(id)
    expect(game.commands).toEqual(['say Ann'])
  })
})

describe('while the database is away for a moment', () => {
  const send = createRconSender(api.deps.settings)

  /** A runner for which the database is away at some calls of the pool. */
  function createInterrupted(isAway: (method: 'connect' | 'query') => boolean, sendRcon: SendRcon = send) {
    const interrupted = new Proxy(pool, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key !== 'connect' && key !== 'query') return value.bind(target)
        return async (...args: unknown[]) => {
          if (isAway(key)) throw new Error('Connection terminated unexpectedly')
          return value.apply(target, args)
        }
      },
    })
    return createRewardRunner({ ...api.deps, pool: interrupted }, sendRcon).run
  }

  /** One for which it is away at two calls after a command was sent, or not. */
  function createInterruptedAfterSending() {
    let calls = 0
    return createInterrupted(
      () => calls > 0 && calls-- > 0,
      async (request) => {
        const answer = await send(request)
        calls = 2
        return answer
      },
    )
  }

  test('the outcome of what was sent is recorded once it is back', async () => {
    const { id, owner, game } = await open({ answer: () => 'done' })
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await createInterruptedAfterSending()({ voteId })
    expect(game.commands).toEqual(['say Ann'])
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'ran', answer: 'done' }])
  })

  test('a reward whose game server can’t be reached is postponed once it is back', async () => {
    const { id, owner } = await list()
    await configure(owner, id, await freePort())
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await createInterruptedAfterSending()({ voteId })
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'waiting' }])
    expect(await countWakes(id)).toBe(1)
  })

  /** A runner that does not learn that the first transaction after its attempt was committed. */
  function createUninformed() {
    let isNext = false
    const uninformed = new Proxy(pool, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key !== 'connect') return value.bind(target)
        return async () => {
          const client = await pool.connect()
          const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
          const losingAnswer = async (...args: unknown[]) => {
            const result = await query(...args)
            if (args[0] !== 'commit' || !isNext) return result
            isNext = false
            throw new Error('Connection terminated unexpectedly')
          }
          const release = client.release.bind(client)
          return Object.assign(client, {
            query: losingAnswer,
            release: () => release(true), // it is not used again
          })
        }
      },
    })
    return createRewardRunner({ ...api.deps, pool: uninformed }, async (request) => {
      const answer = await send(request)
      isNext = true
      return answer
    }).run
  }

  test('a reward is postponed once if the answer to that is lost', async () => {
    const { id, owner } = await list()
    await configure(owner, id, await freePort())
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await createUninformed()({ voteId })
    expect(await countWakes(id)).toBe(1)
    const { rows } = await pool.query('select attempts from vote_rewards where vote_id = $1', [voteId])
    expect(rows).toEqual([{ attempts: 1 }])
  })

  test('a reward whose game server can’t be looked up is postponed', async () => {
    const { id, owner, game } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    let queries = 0
    // The first one reads the reward, the second the game server.
    await createInterrupted((method) => method === 'query' && ++queries === 2)({ voteId })
    expect(game.commands).toEqual([])
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'waiting' }])
    expect(await countWakes(id)).toBe(1)
  })
})

test('a job that another worker has taken over begins no more rewards', async () => {
  const taken = new AbortController()
  const { id, owner, game } = await open({
    answer() {
      taken.abort()
      return ''
    },
  })
  await set(owner, id, 'vote', 'say {username}')
  for (const username of ['Ann', 'Bob']) await voteOnce(api, id, { username })
  const [voteId = ''] = await queued(id)
  await handle({ voteId }, taken.signal)
  expect(game.commands).toEqual(['say Ann'])
  expect((await rewardsOf(owner, id)).map(({ status }) => status)).toEqual(['waiting', 'ran'])
})

test('a reward on a claim comes with votes/claim or a plugin’s claim, for each vote that was claimed', async () => {
  const { id, owner, game } = await open()
  await set(owner, id, 'claim', 'say {username} {votes}')
  for (const username of ['ann', 'Ann', 'Bob']) await voteOnce(api, id, { username })
  expect(await queued(id)).toEqual([])
  expect(await claim(owner, id, 'Ann')).toMatchObject({ claimed: 2 })
  expect(await claim(owner, id, 'Ann')).toMatchObject({ claimed: 0 })
  const { voteKey } = (await call(owner, 'POST', `/servers/${id}/vote-key`)).body as { voteKey: string }
  const headers = { 'x-request-id': 'claim-of-bob' }
  const ask = () =>
    api
      .request(`/api/plugins/votes?action=claim&key=${voteKey}&username=Bob`, { headers })
      .then((reply) => reply.text())
  expect([await ask(), await ask()]).toEqual(['1', '2'])
  const [, , voteOfBob] = await queued(id)
  expect(await causeOf(voteOfBob)).toEqual({ requestId: 'claim-of-bob' })
  await work(id)
  expect(game.commands).toEqual(['say ann 1', 'say Ann 2', 'say Bob 1'])
})

test('a player’s votes are counted whatever form of the Steam identifier they typed', async () => {
  const { id, owner, game } = await open()
  await set(owner, id, 'vote', 'kit {gamePlatformId} {votes}')
  for (const gamePlatformId of [
    'STEAM_0:1:2345',
    'https://steamcommunity.com/profiles/76561197960270419',
    '[U:1:4691]',
  ]) {
    await voteOnce(api, id, { gamePlatformId })
    await work(id)
  }
  expect(game.commands).toEqual(['kit STEAM_0:1:2345 1', 'kit 76561197960270419 2', 'kit 76561197960270419 3'])
})

describe('the rewards of a game server that can’t be reached', () => {
  /** A runner for a game server that can't be reached until it is started. */
  function createUnreachable() {
    const sent: string[] = []
    let isUp = false
    const runner = createRewardRunner(api.deps, async ({ command }) => {
      sent.push(command)
      return isUp ? { response: '' } : { failure: 'unreachable', isUnsent: true }
    })
    return { ...runner, sent, start: () => (isUp = true) }
  }

  test('wait together: one is tried, and all run in order once it answers', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    const game = createUnreachable()
    for (const username of ['Ann', 'Bob', 'Cid']) await voteOnce(api, id, { username })
    for (const voteId of await queued(id)) await game.run({ voteId })
    await game.wake({ serverId: id }) // too early
    expect(game.sent).toEqual(['say Ann'])
    expect(await countWakes(id)).toBe(1)
    await passWait(id)
    game.start()
    await game.wake({ serverId: id })
    expect(game.sent.slice(1)).toEqual(['say Ann', 'say Bob', 'say Cid'])
    await voteOnce(api, id, { username: 'Dan' })
    for (const voteId of await queued(id)) await game.run({ voteId })
    expect(game.sent.at(-1)).toBe('say Dan')
  })

  test('are tried again by their own job only, which takes no place from other servers’ votes', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    const game = createUnreachable()
    await voteOnce(api, id, { username: 'Ann' })
    for (const voteId of await queued(id)) await game.run({ voteId })
    await passWait(id)
    await voteOnce(api, id, { username: 'Bob' })
    for (const voteId of await queued(id)) await game.run({ voteId })
    expect(game.sent).toEqual(['say Ann'])
    await game.wake({ serverId: id })
    expect(game.sent).toEqual(['say Ann', 'say Ann'])
  })

  test('are tried again after 30 s, then each time after twice as long, but at most after ten minutes', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    const game = createUnreachable()
    await voteOnce(api, id, { username: 'Ann' })
    for (const voteId of await queued(id)) await game.run({ voteId })
    const waits: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const { rows } = await pool.query('select failed_at from vote_reward_settings where server_id = $1', [id])
      const { retryAt } = (await findRewardSettings(pool, id)) ?? {}
      waits.push(((retryAt?.getTime() ?? 0) - rows[0].failed_at.getTime()) / 1_000)
      await passWait(id)
      await game.wake({ serverId: id })
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600])
  })

  test('are found by upkeep if their job was lost', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await pool.query(`update vote_rewards set created_at = now() - interval '16 minutes' where server_id = $1`, [id])
    expect(await countWakes(id)).toBe(0)
    await runRewardsUpkeep(api.deps)
    await runRewardsUpkeep(api.deps)
    expect(await countWakes(id)).toBe(1)
  })
})

describe('a Rust server that closes the connection during the login', () => {
  const openRust = async (options: WebRconOptions) => {
    const game = await startWebRconServer(options)
    const { id, owner } = await list({ game: 'rust' })
    await configure(owner, id, game.port)
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await work(id)
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'waiting' }])
    await passWait(id)
    return { id, owner, game }
  }

  test('because it restarts gets the commands later', async () => {
    let logins = 0
    const { id, owner, game } = await openRust({
      onLogin: (_send, socket) => void (logins++ === 0 && socket.end(Buffer.from([0x88, 0]))),
    })
    await wake({ serverId: id })
    expect(game.commands).toEqual(['say Ann'])
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'ran' }])
  })

  test('twice in succession refuses the password', async () => {
    const { id, owner, game } = await openRust({ password: 'another' })
    await wake({ serverId: id })
    expect(game.paths).toHaveLength(2)
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'not_run', reason: 'wrong_password' }])
    await voteOnce(api, id, { username: 'Bob' })
    await work(id)
    expect(await rewardsOf(owner, id)).toMatchObject([{ username: 'Bob', reason: 'stopped' }, {}])
  })
})

describe('a game server that', () => {
  test('can’t be reached gets the commands later, once', async () => {
    const { id, owner } = await list()
    const port = await freePort()
    await configure(owner, id, port)
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await handle({ voteId })
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'waiting', settledAt: null, commands: [] }])
    expect(await countWakes(id)).toBe(1)
    const game = await startTestRconServer({})
    await configure(owner, id, game.port)
    await work(id)
    expect(game.commands).toEqual(['say Ann'])
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'ran' }])
  })

  test.each(['mute', 'closes-at-login'] as const)(
    'is %s gets the commands later, because none was sent',
    async (fault) => {
      const { id, owner } = await open({ fault })
      await set(owner, id, 'vote', 'say {username}')
      await voteOnce(api, id, { username: 'Ann' })
      const [voteId = ''] = await queued(id)
      await handle({ voteId })
      expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'waiting', commands: [] }])
      expect(await countWakes(id)).toBe(1)
      const game = await startTestRconServer({})
      await configure(owner, id, game.port)
      await handle({ voteId })
      expect(game.commands).toEqual(['say Ann'])
      expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'ran' }])
    },
    20_000,
  )

  test('completes no login for hours is shown to the owner', async () => {
    const { id, owner } = await open({ fault: 'closes-at-login' })
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await pool.query(`update vote_rewards set created_at = now() - interval '4 hours' where server_id = $1`, [id])
    await work(id)
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'not_run', reason: 'no_login', commandsRun: 0 }])
  })

  test('can’t be reached for hours is shown to the owner, for each vote that waited so long', async () => {
    const { id, owner } = await list()
    await configure(owner, id, await freePort())
    await set(owner, id, 'vote', 'say {username}')
    for (const username of ['Ann', 'Bob', 'Cid']) await voteOnce(api, id, { username })
    await work(id)
    const [ann, bob] = await queued(id)
    await pool.query(`update vote_rewards set created_at = now() - interval '4 hours' where vote_id = any($1)`, [
      [ann, bob],
    ])
    await passWait(id)
    await wake({ serverId: id })
    const refused = { status: 'not_run', reason: 'unreachable' }
    expect(await rewardsOf(owner, id)).toMatchObject([
      { username: 'Cid', status: 'waiting' },
      { username: 'Bob', ...refused },
      { ...refused, message: 'The server did not accept a connection on its RCON port.' },
    ])
  })

  test('can’t be reached is not tried sooner because other votes get no reward', async () => {
    const { id, owner } = await list()
    await configure(owner, id, await freePort())
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await work(id)
    const [ann = ''] = await queued(id)
    for (let vote = 0; vote < 6; vote++) await voteOnce(api, id, { username: 'a b' })
    for (const voteId of new Set(await queued(id))) if (voteId !== ann) await handle({ voteId })
    expect((await rewardsOf(owner, id)).map(({ reason }) => reason)).toEqual([
      ...Array(6).fill('unrepresentable'),
      null,
    ])
    const { rows } = await pool.query('select attempts, started_at from vote_rewards where vote_id = $1', [ann])
    expect(rows).toEqual([{ attempts: 1, started_at: null }])
    expect(await countWakes(id)).toBe(1)
  })

  test('closes the connection in the middle may have run the command, which is not sent again', async () => {
    const { id, owner, game } = await open({ fault: 'closes-at-command' })
    await set(owner, id, 'vote', 'say {username}', 'say more')
    await voteOnce(api, id, { username: 'Ann' })
    await work(id)
    await work(id)
    expect(game.commands).toEqual(['say Ann'])
    expect(await rewardsOf(owner, id)).toMatchObject([
      { status: 'may_have_run', reason: 'disconnected', commandsRun: 0 },
    ])
  })

  test('refuses the password is left alone until the password or the rewards are set again', async () => {
    const { id, owner, game } = await open()
    await configure(owner, id, game.port, 'not that one')
    await set(owner, id, 'vote', 'say {username}')
    for (const username of ['Ann', 'Bob']) await voteOnce(api, id, { username })
    await work(id)
    expect(game.logins).toEqual(['not that one'])
    expect(await rewardsOf(owner, id)).toMatchObject([
      { username: 'Bob', status: 'not_run', reason: 'stopped' },
      { username: 'Ann', status: 'not_run', reason: 'wrong_password' },
    ])
    expect((await call(owner, 'GET', `/servers/${id}/vote-rewards`)).body).toMatchObject({
      stoppedAt: expect.any(String),
    })
    expect(await notificationsOf(owner)).toEqual([
      expect.objectContaining({
        event: 'rewardsStopped',
        serverId: id,
        message: expect.stringMatching(/ refused its RCON password, so votes for it are no longer rewarded\. /),
        count: 1,
      }),
    ])
    await configure(owner, id, game.port, PASSWORD)
    expect((await call(owner, 'GET', `/servers/${id}/vote-rewards`)).body).toMatchObject({ stoppedAt: null })
    await voteOnce(api, id, { username: 'Cid' })
    await work(id)
    expect(game.commands).toEqual(['say Cid'])
  })
})

test.each([
  ['the password', 'answered', (owner: Person, id: string, port: number) => configure(owner, id, port)],
  ['the rewards', 'wrong_password', (owner: Person, id: string) => set(owner, id, 'vote', 'say {username}')],
])('a refused password stops no rewards if the owner has meanwhile set %s again', async (_what, reason, change) => {
  const { id, owner, game } = await open()
  await configure(owner, id, game.port, 'not that one')
  await set(owner, id, 'vote', 'say {username}')
  await voteOnce(api, id, { username: 'Ann' })
  const send = createRconSender(api.deps.settings)
  const { run: slowly } = createRewardRunner(api.deps, async (request) => {
    const refused = await send(request)
    await change(owner, id, game.port)
    return refused
  })
  for (const voteId of await queued(id)) await slowly({ voteId })
  await voteOnce(api, id, { username: 'Bob' })
  await work(id)
  expect(await rewardsOf(owner, id)).toMatchObject([
    { username: 'Bob', reason },
    { username: 'Ann', reason: 'wrong_password' },
  ])
})

test('a reward that runs while its server gets another owner records nothing that the new owner could read', async () => {
  const next = await addPerson(pool)
  const admin = await addPerson(pool, { isAdmin: true })
  const { id, owner, game } = await open({
    async answer() {
      expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id })).status).toBe(200)
      return 'done'
    },
  })
  await set(owner, id, 'vote', 'say {username}')
  await voteOnce(api, id, { username: 'Ann' })
  await work(id)
  expect(game.commands).toEqual(['say Ann'])
  expect(await rewardsOf(next, id)).toMatchObject([{ status: 'ran', commands: [], answer: '' }])
  expect((await entries(id)).at(-1)).toMatchObject({ actorId: owner.id, details: { commands: ['say Ann'] } })
})

test('a refused password is recorded after a transfer of the server that has begun, which does not wait for it', async () => {
  const { id, owner } = await open()
  await set(owner, id, 'vote', 'say {username}')
  await voteOnce(api, id, { username: 'Ann' })
  const [voteId = ''] = await queued(id)
  const transfer = await pool.connect()
  const { run: refusing } = createRewardRunner(api.deps, async () => {
    await transfer.query(`begin; set local lock_timeout = '500ms'`)
    await transfer.query('select from vote_reward_settings where server_id = $1 for update', [id])
    return { failure: 'wrong_password' }
  })
  const handled = refusing({ voteId })
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  await transfer.query('update vote_rewards set attempts = attempts where vote_id = $1', [voteId])
  await transfer.query('commit')
  transfer.release()
  await handled
  expect(await rewardsOf(owner, id)).toMatchObject([{ reason: 'wrong_password' }])
})

test('a reward that would begin while its server gets another owner is not sent', async () => {
  const next = await addPerson(pool)
  const admin = await addPerson(pool, { isAdmin: true })
  const { id, owner, game } = await open()
  await set(owner, id, 'vote', 'say {username}')
  await voteOnce(api, id, { username: 'Ann' })
  const [voteId = ''] = await queued(id)
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table server_members in exclusive mode')
  const given = call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id })
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  const handled = handle({ voteId })
  await Promise.race([handled, sleep(1_000)])
  await blocker.query('rollback')
  blocker.release()
  expect((await given).status).toBe(200)
  await handled
  expect(game.commands).toEqual([])
  expect(await rewardsOf(next, id)).toMatchObject([{ reason: 'removed', commands: [] }])
})

test('a former owner’s log is hidden at once from the next owner, and deleted later in batches', async () => {
  const next = await addPerson(pool)
  const admin = await addPerson(pool, { isAdmin: true })
  const { id, owner, game } = await open({ answer: () => 'done' })
  await set(owner, id, 'vote', 'say {username}')
  await voteOnce(api, id, { username: 'Ann' })
  await work(id)
  await addPastRewards(id, 2_000)
  const stored = async () =>
    (
      await pool.query(
        `select count(*) as count from vote_rewards where server_id = $1 and (commands <> '{}' or answer is not null)`,
        [id],
      )
    ).rows[0]?.count
  expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id })).status).toBe(200)
  expect(await rewardsOf(next, id)).toMatchObject([{ username: 'Ann', status: 'ran', commands: [], answer: '' }])
  expect(await stored()).toBe(2_001) // a million at once would take longer than the request may
  expect((await configure(next, id, game.port)).status).toBe(200)
  await set(next, id, 'vote', 'tell {username}')
  await voteOnce(api, id, { username: 'Bob' })
  await work(id)
  const shown = [
    { username: 'Bob', commands: ['tell Bob'], answer: 'done' },
    { username: 'Ann', commands: [], answer: '' },
  ]
  expect(await rewardsOf(next, id)).toMatchObject(shown)
  await runRewardsErasure(api.deps)
  expect(await stored()).toBe(1)
  expect(await rewardsOf(next, id)).toMatchObject(shown)
  expect((await pool.query('select from vote_reward_erasures')).rowCount).toBe(0)
})

/** Rewards of votes that are not stored, which the log leaves out. */
async function addPastRewards(serverId: string, count: number) {
  const client = await pool.connect()
  await client.query('set session_replication_role = replica') // without foreign keys
  await client.query(
    `insert into vote_rewards (vote_id, server_id, created_at, started_at, settled_at, outcome, commands, commands_run, answer)
     select gen_random_uuid(), $1, now() - make_interval(secs => number), now(), now(), 'answered', '{say hi}', 1, 'hi'
     from generate_series(1, $2::integer) as number`,
    [serverId, count],
  )
  await client.query('reset session_replication_role')
  client.release()
}

describe('a reward is not run', () => {
  test.each([
    [
      'once the rewards are removed',
      async (owner: Person, id: string) => call(owner, 'DELETE', `/servers/${id}/vote-rewards`),
    ],
    [
      'once the server has another owner',
      async (_owner: Person, id: string) =>
        pool.query('update servers set owner_id = $2 where id = $1', [id, (await addPerson(pool)).id]),
    ],
    [
      'while the owner is banned',
      (owner: Person) => pool.query('update users set banned_at = now() where id = $1', [owner.id]),
    ],
  ])('%s', async (_when, change) => {
    const { id, owner, game } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await change(owner, id)
    await work(id)
    expect(game.commands).toEqual([])
    const { rows } = await pool.query('select outcome from vote_rewards where server_id = $1', [id])
    expect(rows).toEqual([{ outcome: 'removed' }])
  })

  test('of a voided vote: the owner sees why, and it is not run if the vote is restored', async () => {
    const { id, owner, game } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    const [voteId = ''] = await queued(id)
    await pool.query('update votes set voiding_id = gen_random_uuid() where id = $1', [voteId])
    await handle({ voteId })
    await pool.query('update votes set voiding_id = null where id = $1', [voteId])
    await handle({ voteId })
    expect(game.commands).toEqual([])
    expect(await rewardsOf(owner, id)).toMatchObject([
      { status: 'not_run', reason: 'voided', message: 'A moderator voided the vote.' },
    ])
  })

  test('after RCON was removed: the owner sees it', async () => {
    const { id, owner } = await open()
    await set(owner, id, 'vote', 'say {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await call(owner, 'DELETE', `/servers/${id}/rcon`)
    await work(id)
    expect(await rewardsOf(owner, id)).toMatchObject([{ status: 'not_run', reason: 'not_configured' }])
  })
})

test('upkeep completes what no worker ends: sent perhaps, or never', async () => {
  const { id, owner, game } = await open()
  await set(owner, id, 'vote', 'say {username}')
  for (const username of ['Ann', 'Bob', 'Cid']) await voteOnce(api, id, { username })
  const [ann, bob] = await queued(id)
  await pool.query(
    `update vote_rewards set started_at = now() - interval '6 minutes', commands = array['say Ann'] where vote_id = $1`,
    [ann],
  )
  await pool.query(`update vote_rewards set created_at = now() - interval '25 hours' where vote_id = $1`, [bob])
  await runRewardsUpkeep(api.deps)
  expect((await rewardsOf(owner, id)).map(({ username, status, reason }) => [username, status, reason])).toEqual([
    ['Cid', 'waiting', null],
    ['Ann', 'may_have_run', 'lost'],
    ['Bob', 'not_run', 'expired'],
  ])
  expect((await entries(id)).at(-1)).toMatchObject({ action: 'vote-reward.run', details: { outcome: 'lost' } })
  await work(id)
  expect(game.commands).toEqual(['say Cid'])
})

test('answers are encrypted again after APP_SECRET was changed', async () => {
  const { id, owner } = await open({ answer: () => 'done' })
  await set(owner, id, 'vote', 'say {username}')
  for (const username of ['Ann', 'Bob']) await voteOnce(api, id, { username })
  const [ann = ''] = await queued(id)
  await work(id)
  const previous = 'a previous secret, 32 characters and more'
  await pool.query('update vote_rewards set answer = $2 where vote_id = $1', [
    ann,
    createSecretCipher({ APP_SECRET: previous }).encrypt('rcon', 'done before'),
  ])
  const shown = async () => (await rewardsOf(owner, id)).map(({ answer }) => answer)
  expect(await shown()).toEqual(['done', ''])
  await runRewardsReencryption({
    ...api.deps,
    settings: { ...api.deps.settings, APP_SECRET_PREVIOUS: previous },
  })
  expect(await shown()).toEqual(['done', 'done before'])
})

describe('the commands', () => {
  test('are shown as they were set, to the owner and administrators only', async () => {
    const { id, owner } = await open()
    const path = `/servers/${id}/vote-rewards`
    const none = { isEnabled: false, when: null, commands: [], stoppedAt: null, updatedAt: null }
    expect((await call(owner, 'GET', path)).body).toEqual(none)
    await set(owner, id, 'claim', 'say {username}')
    const shown = {
      isEnabled: true,
      when: 'claim',
      commands: ['say {username}'],
      stoppedAt: null,
      updatedAt: expect.any(String),
    }
    expect((await call(owner, 'GET', path)).body).toEqual(shown)
    expect((await call(await addPerson(pool), 'GET', path)).status).toBe(403)
    for (const left of [none, none]) {
      expect((await call(owner, 'DELETE', path)).status).toBe(200)
      expect((await call(owner, 'GET', path)).body).toEqual(left)
    }
  })

  test('need RCON', async () => {
    const { id, owner } = await list()
    expect(
      await call(owner, 'PUT', `/servers/${id}/vote-rewards`, { when: 'vote', commands: ['say hi'] }),
    ).toMatchObject({
      status: 400,
      body: { error: 'rcon_not_configured' },
    })
    const { paths } = await (await api.request('/api/openapi.json')).json()
    const codes: string[] = paths['/servers/{id}/vote-rewards'].put['x-errors']['400']
    expect(codes.filter((code) => code.startsWith('rcon_'))).toEqual(['rcon_not_configured', 'rcon_not_verified'])
  })

  test.each([
    [{ when: 'vote', commands: [] }, 'body.commands: must have at least one command'],
    [{ when: 'vote', commands: Array.from({ length: 6 }, () => 'say') }, 'body.commands: must have at most 5 commands'],
    [{ when: 'vote', commands: ['say', ' '] }, 'body.commands.1: must not be empty'],
    [{ when: 'vote', commands: ['say\nstop'] }, 'body.commands.0: must be one line without control characters'],
    [{ when: 'vote', commands: ['x'.repeat(1_001)] }, 'body.commands.0: must have at most 1000 characters'],
    [{ when: 'later', commands: ['say'] }, 'body.when: must be vote or claim'],
  ])('%j are refused', async (body, message) => {
    const { id, owner } = await open()
    expect(await call(owner, 'PUT', `/servers/${id}/vote-rewards`, body)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  test('are kept in the log of rewards and the audit log without passwords', async () => {
    const { id, owner, game } = await open({ answer: () => 'fine' })
    await set(owner, id, 'vote', 'login password=tiger {username}')
    await voteOnce(api, id, { username: 'Ann' })
    await work(id)
    expect(game.commands).toEqual(['login password=tiger Ann'])
    expect(JSON.stringify([await rewardsOf(owner, id), await entries(id)])).not.toContain('tiger')
  })
})
