// RCON end to end: the owner's request, API, job, worker, a real RCON server, and what is stored.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { createRconRunner, rconCommand, runRconUpkeep } from '../../../src/features/rcon/index.ts'
import { createCommandSender } from '../../../src/features/rcon/sending.service.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { memoryStore } from '../../../src/platform/http/fast-path/memory-limits.ts'
import { createLimits } from '../../../src/platform/http/limits.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { createRconWorld, PASSWORD, startRconWorker } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { call, list, configure, open, send, entries } = createRconWorld(api)

describe('setting up', () => {
  test('sets, shows, replaces and removes RCON, and never returns the password or stores it in clear text', async () => {
    const { id, owner } = await list()
    expect((await call(owner, 'GET', `/servers/${id}/rcon`)).body).toEqual({
      isConfigured: false,
      port: null,
      updatedAt: null,
    })
    const set = await configure(owner, id, 27_020, 'Sesam öffne dich')
    expect(set).toEqual({ status: 200, body: { isConfigured: true, port: 27_020, updatedAt: expect.any(String) } })
    expect((await configure(owner, id, 27_021, 'Sesam öffne dich')).body).toMatchObject({ port: 27_021 })
    expect((await call(owner, 'GET', `/servers/${id}/rcon`)).body).toMatchObject({ isConfigured: true, port: 27_021 })
    const { rows } = await pool.query('select * from rcon_credentials where server_id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain('Sesam')
    expect(rows).toHaveLength(1)

    for (let time = 0; time < 2; time++)
      expect(await call(owner, 'DELETE', `/servers/${id}/rcon`)).toEqual({ status: 200, body: { success: true } })
    expect((await send(owner, id, 'status')).body).toMatchObject({ error: 'rcon_not_configured' })
    const log = await entries(id)
    expect(log.map(({ action, details }) => [action, details])).toEqual([
      ['rcon.configure', { port: 27_020 }],
      ['rcon.configure', { port: 27_021 }],
      ['rcon.remove', {}],
    ])
  })

  test.each([
    [{ port: 0, password: 'x' }, 'body.port'],
    [{ port: 65_536, password: 'x' }, 'body.port'],
    [{ port: 1.5, password: 'x' }, 'body.port'],
    [{ port: '27020', password: 'x' }, 'body.port'],
    [{ password: 'x' }, 'body.port'],
    [{ port: 27_020 }, 'body.password'],
    [{ port: 27_020, password: '' }, 'body.password'],
    [{ port: 27_020, password: 'x'.repeat(129) }, 'body.password'],
    [{ port: 27_020, password: 'x\r\nFLUSHALL' }, 'body.password'],
    [{ port: 27_020, password: 'x\u0007' }, 'body.password'],
  ])('refuses %j', async (body, path) => {
    const { id, owner } = await list()
    const refused = await call(owner, 'PUT', `/servers/${id}/rcon`, body)
    expect(refused).toMatchObject({ status: 400, body: { error: 'validation_failed', details: [{ path }] } })
  })

  test('sends the longest password, of any characters, to the server unchanged', async () => {
    await startRconWorker(api)
    const password = `${'ß€漢'.repeat(42)} "`
    expect(password).toHaveLength(128)
    const { id, owner, game } = await open({ password })
    await configure(owner, id, game.port, password)
    expect((await send(owner, id, 'hi')).body).toEqual({ response: 'you said: hi' })
    expect(game.logins).toEqual([password])
  })

  test('is deleted when its server moves; a command that was accepted before does not run', async () => {
    const { id, owner, game } = await open()
    const sending = send(owner, id, 'status')
    await expect
      .poll(async () => (await pool.query('select from rcon_commands where server_id = $1', [id])).rowCount)
      .toBe(1)
    expect((await call(owner, 'PATCH', `/servers/${id}`, { ipAddress: '127.0.0.2' })).status).toBe(200)
    expect((await call(owner, 'GET', `/servers/${id}/rcon`)).body).toMatchObject({ isConfigured: false })
    await startRconWorker(api)
    expect((await sending).body).toMatchObject({ error: 'rcon_not_configured' })
    expect(game.logins).toEqual([])
  })

  test('is deleted after its server was removed or got another owner', async () => {
    const [kept, sold, gone] = [await open(), await open(), await open()]
    await pool.query('update servers set owner_id = $2 where id = $1', [sold.id, (await addPerson(pool)).id])
    expect((await call(gone.owner, 'DELETE', `/servers/${gone.id}`)).status).toBe(200)
    await runRconUpkeep(api.deps)
    const { rows } = await pool.query<{ id: string }>(
      'select server_id as id from rcon_credentials where server_id = any($1)',
      [[kept.id, sold.id, gone.id]],
    )
    expect(rows).toEqual([{ id: kept.id }])
  })

  test('is valid for its owner only: a new owner of the server cannot have the password sent', async () => {
    await startRconWorker(api)
    const { id, game } = await open()
    const next = await addPerson(pool)
    await pool.query('update servers set owner_id = $2 where id = $1', [id, next.id])
    expect((await call(next, 'GET', `/servers/${id}/rcon`)).body).toMatchObject({ isConfigured: false, port: null })
    expect((await send(next, id, 'status')).body).toMatchObject({ error: 'rcon_not_configured' })
    expect(game.logins).toEqual([])
    await configure(next, id, game.port)
    expect((await send(next, id, 'status')).status).toBe(200)
  })
})

describe('sending', () => {
  test('returns the server’s answer, and records command, actor and outcome only', async () => {
    const worker = await startRconWorker(api)
    const { id, owner, game } = await open({ answer: () => 'Player 1\nPlayer 2\n' })
    expect(await send(owner, id, 'listplayers now')).toEqual({
      status: 200,
      body: { response: 'Player 1\nPlayer 2\n' },
    })
    expect(game.commands).toEqual(['listplayers now'])
    expect((await entries(id)).at(-1)).toEqual({
      actorId: owner.id,
      action: 'rcon.command',
      details: { command: 'listplayers now', outcome: 'answered' },
    })
    expect((await pool.query('select from rcon_commands where server_id = $1', [id])).rowCount).toBe(0)
    const jobs = await pool.query('select data, output from pgboss.job where name = $1', [rconCommand.queue])
    for (const secret of ['listplayers', 'Player 1', PASSWORD]) {
      expect(JSON.stringify(jobs.rows)).not.toContain(secret)
      expect(worker.logged()).not.toContain(secret)
    }
  })

  test('an answer of many packets and any characters is complete', async () => {
    await startRconWorker(api)
    const text = '漢 und ß\n'.repeat(4_000)
    const { id, owner } = await open({ answer: () => text, segment: 1_460 })
    expect((await send(owner, id, 'cvarlist')).body).toEqual({ response: text })
  })

  test.each([
    ['a wrong password', 'wrong_password', { password: 'another' }],
    ['another protocol', 'protocol_error', { fault: 'http' as const }],
    ['a server that hangs up', 'disconnected', { fault: 'closes-at-command' as const }],
    ['an answer without end', 'answer_too_large', { fault: 'endless' as const }],
  ])('%s has an error code of its own', async (_what, outcome, options) => {
    await startRconWorker(api)
    const { id, owner } = await open(options)
    expect(await send(owner, id, 'status')).toMatchObject({ status: 400, body: { error: `rcon_${outcome}` } })
    expect((await entries(id)).at(-1)?.details).toEqual({ command: 'status', outcome })
  })

  test('a closed port', async () => {
    await startRconWorker(api)
    const { id, owner } = await list()
    await configure(owner, id, await freePort())
    expect(await send(owner, id, 'status')).toMatchObject({ status: 400, body: { error: 'rcon_unreachable' } })
  })

  test.each(['', '   ', 'a\nb', 'a\0b', 'x'.repeat(1_001)])('refuses the command %j', async (command) => {
    const { id, owner } = await list()
    expect(await send(owner, id, command)).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
  })

  test('one of many simultaneous commands to a server runs, and the others are answered with rcon_busy', async () => {
    await startRconWorker(api)
    const { promise, resolve } = Promise.withResolvers<string>()
    const { id, owner, game } = await open({ answer: () => promise })
    const early: { status: number; body: Record<string, unknown> }[] = []
    const sent = Array.from({ length: 8 }, async (_, n) => {
      const reply = await send(owner, id, `command ${n}`)
      early.push(reply)
      return reply
    })
    await expect.poll(() => early.length).toBe(7)
    expect(early.map(({ status, body }) => [status, body.error])).toEqual(early.map(() => [400, 'rcon_busy']))
    resolve('done')
    const replies = await Promise.all(sent)
    expect(replies.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([{ response: 'done' }])
    expect(game.mostAtOnce()).toBe(1)
    expect((await send(owner, id, 'the next')).status).toBe(200)
  })

  test('passwords in commands are hidden in the audit log', async () => {
    await startRconWorker(api)
    const { id, owner, game } = await open()
    await send(owner, id, 'rcon_password tops3cret')
    await send(owner, id, `say ${PASSWORD} is our password`)
    expect(game.commands[0]).toBe('rcon_password tops3cret')
    const commands = (await entries(id)).map(({ details }) => (details as { command?: string }).command).filter(Boolean)
    expect(commands).toEqual(['rcon_password •••', 'say ••• is our password'])
  })

  test('administrators may send commands and are recorded as the actor; other users may not', async () => {
    await startRconWorker(api)
    const { id, game } = await open()
    const admin = await addPerson(pool, { isAdmin: true })
    expect((await send(admin, id, 'hi')).status).toBe(200)
    expect((await entries(id)).at(-1)).toMatchObject({ actorId: admin.id, action: 'rcon.command' })
    const stranger = await addPerson(pool)
    expect((await send(stranger, id, 'hi')).status).toBe(403)
    expect((await configure(stranger, id, game.port)).status).toBe(403)
    expect((await send(stranger, uuidv7(), 'hi')).status).toBe(404)
    expect(game.commands).toEqual(['hi'])
  })
})

describe('limits', () => {
  test('ten failed commands to a server within 15 minutes, by all users together', async () => {
    await startRconWorker(api)
    const { id, owner, game } = await open()
    for (let n = 0; n < 12; n++) expect((await send(owner, id, 'fine')).status).toBe(200)
    await configure(owner, id, game.port, 'wrong')
    const admin = await addPerson(pool, { isAdmin: true })
    for (let n = 0; n < 10; n++)
      expect((await send(n % 2 ? owner : admin, id, 'in vain')).body).toMatchObject({ error: 'rcon_wrong_password' })
    expect(await send(admin, id, 'in vain')).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
    expect(game.logins.filter((login) => login === 'wrong')).toHaveLength(10)
  })

  test('thirty commands of one user within a minute', async () => {
    const { id, owner } = await list()
    const statuses = []
    for (let n = 0; n < 31; n++) statuses.push((await send(owner, id, 'status')).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429])
  })
})

describe('failures on our side', () => {
  test('after APP_SECRET was changed, the previous one still decrypts until upkeep has encrypted passwords again', async () => {
    const { id, owner, game } = await open()
    const old = api.deps.settings.APP_SECRET
    const settings = { ...api.deps.settings, APP_SECRET: 'another secret of 32 characters and more' }
    const during = { ...settings, APP_SECRET_PREVIOUS: old }
    const logins: string[] = []
    /** A command of an API process with these settings, and the request that a worker with them would send. */
    async function run(with_: typeof settings): Promise<unknown> {
      const commandId = uuidv7()
      await pool.query(
        `insert into rcon_commands (id, server_id, actor_id, command, expires_at) values ($1, $2, $3, $4, now() + interval '10 s')`,
        [commandId, id, owner.id, createSecretCipher(with_).encrypt('rcon', 'status')],
      )
      const runCommand = createRconRunner({ pool, settings: with_, log: testLog }, async ({ password }) => {
        logins.push(password)
        return { response: 'fine' }
      })
      await runCommand({ commandId })
      const { rows } = await pool.query('delete from rcon_commands where id = $1 returning outcome', [commandId])
      return rows[0]?.outcome
    }
    expect(await run(settings)).toBe('unreadable') // without the previous secret
    expect(await run(during)).toBe('answered')
    await runRconUpkeep({ pool, settings: during, log: testLog })
    expect(await run(settings)).toBe('answered')
    expect(logins).toEqual([PASSWORD, PASSWORD])
    await configure(owner, id, game.port) // back to this API's secret
  })

  test('a job that is delivered twice runs its command once', async () => {
    const { id, owner } = await open()
    const commandId = uuidv7()
    await pool.query(
      `insert into rcon_commands (id, server_id, actor_id, command, expires_at) values ($1, $2, $3, $4, now() + interval '10 s')`,
      [commandId, id, owner.id, createSecretCipher(api.deps.settings).encrypt('rcon', 'destroywilddinos')],
    )
    let times = 0
    const runCommand = createRconRunner({ pool, settings: api.deps.settings, log: testLog }, async () => {
      times++
      return { response: '' }
    })
    const deliver = () => runCommand({ commandId })
    await Promise.all([deliver(), deliver(), deliver()])
    await deliver()
    expect(times).toBe(1)
    expect((await entries(id)).filter(({ action }) => action === 'rcon.command')).toHaveLength(1)
  })

  test('without a worker: 503, the command never runs, and the next one is not blocked', async () => {
    const { id, owner, game } = await open()
    const begun = performance.now()
    const reply = await send(owner, id, 'restart')
    expect(reply).toMatchObject({ status: 503, body: { error: 'unavailable' } })
    expect(performance.now() - begun).toBeGreaterThan(9_900)
    expect((await entries(id)).at(-1)?.details).toEqual({ command: 'restart', outcome: 'unserved' })
    await startRconWorker(api)
    expect((await send(owner, id, 'status')).status).toBe(200)
    expect(game.commands).toEqual(['status'])
  })

  test('a command whose row was deleted is still answered', async () => {
    const { id, owner } = await open()
    const limits = createLimits({ store: memoryStore(), log: testLog })
    const send = createCommandSender({ ...api.deps, limits, limitMs: 300 })
    const actor = {
      via: 'session',
      userId: owner.id,
      isAdmin: false,
      isModerator: false,
      lacksSecondFactor: false,
      isConfirmed: true,
      sessionId: Buffer.of(),
    } as const
    const answer = send(actor, id, 'status')
    const refused = expect(answer).rejects.toMatchObject({ status: 400, code: 'rcon_timeout' })
    const clear = 'delete from rcon_commands where server_id = $1'
    await expect.poll(async () => (await pool.query(clear, [id])).rowCount, { interval: 10 }).toBe(1)
    await refused
  })

  test('upkeep completes and audits a command whose processes were killed', async () => {
    const { id, owner } = await open()
    await pool.query(
      `insert into rcon_commands (id, server_id, actor_id, command, expires_at, started_at)
       values ($1, $2, $3, $4, now() - interval '1 s', now() - interval '9 s')`,
      [uuidv7(), id, owner.id, createSecretCipher(api.deps.settings).encrypt('rcon', 'saveworld')],
    )
    await runRconUpkeep(api.deps)
    expect((await entries(id)).at(-1)).toMatchObject({
      actorId: owner.id,
      details: { command: 'saveworld', outcome: 'lost' },
    })
    await pool.query(`update rcon_commands set settled_at = now() - interval '2 minutes' where server_id = $1`, [id])
    await runRconUpkeep(api.deps)
    expect((await pool.query('select from rcon_commands where server_id = $1', [id])).rowCount).toBe(0)
  })
})
