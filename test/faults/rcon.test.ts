// A worker process that dies while a command, or a vote's reward, runs.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runRewardsUpkeep } from '../../src/features/rewards/index.ts'
import { createRconWorld, startRconWorker } from '../features/rcon/support.ts'
import { voteOnce } from '../features/votes/support.ts'
import { startTestApi } from '../support/api.ts'
import { startProcess } from '../support/processes.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const api = await startTestApi({ settings: { VOTES_PER_ADDRESS_PER_DAY: '0' } })
const { open, send, entries, call } = createRconWorld(api)

test(
  'RCON under kills: the caller learns in time that the command may have run, it does not run again, the next one does',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const worker = await startProcess('workers/main.ts', api.database.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const { id, owner, game } = await open({ answer: (command) => (command === 'restart' ? promise : 'fine') })
    const begun = performance.now()
    const reply = send(owner, id, 'restart')
    await expect.poll(() => game.commands, { timeout: 8_000 }).toEqual(['restart'])
    worker.child.kill('SIGKILL')
    run.tried('worker killed with a command under way')
    expect(await reply).toMatchObject({ status: 400, body: { error: 'rcon_timeout' } })
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await entries(id)).at(-1)?.details).toEqual({ command: 'restart', outcome: 'lost' })
    resolve('')

    await startRconWorker(api)
    expect(await send(owner, id, 'status')).toEqual({ status: 200, body: { response: 'fine' } })
    run.worked('commands run', game.commands.length)
    run.expectNothingLost({
      'commands run twice': game.commands.filter((command, n) => game.commands.indexOf(command) !== n),
    })
    expect(game.commands).toEqual(['restart', 'status'])
  },
  FAULT_RUN_TIMEOUT_MS,
)

test(
  'a vote’s reward under kills: the command does not run again, the owner sees that it may have run, the next reward runs',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const worker = await startProcess('workers/main.ts', api.database.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const { id, owner, game } = await open({ answer: (command) => (command === 'give Ann' ? promise : 'fine') })
    const path = `/servers/${id}/vote-rewards`
    await call(owner, 'PUT', path, { when: 'vote', commands: ['give {username}', 'say {username}'] })
    await voteOnce(api, id, { username: 'Ann' })
    await expect.poll(() => game.commands, { timeout: 8_000 }).toEqual(['give Ann'])
    worker.child.kill('SIGKILL')
    run.tried('worker killed with a reward under way')
    resolve('')
    await startProcess('workers/main.ts', api.database.url)
    await voteOnce(api, id, { username: 'Bob' })
    const statuses = async () =>
      ((await call(owner, 'GET', `${path}/log`)).body as { rewards: { status: string }[] }).rewards.map(
        (reward) => reward.status,
      )
    // A server runs one reward at a time, and a killed worker's counts as running for 90 s.
    await expect.poll(statuses, { timeout: 150_000, interval: 500 }).toEqual(['ran', 'running'])
    // The killed worker's job is delivered again once its heartbeat is missed, and does nothing.
    const states = async () => {
      const jobs = `select state from pgboss.job where name = 'vote-reward' group by state`
      return (await api.database.pool.query<{ state: string }>(jobs)).rows.map(({ state }) => state)
    }
    await expect.poll(states, { timeout: 90_000, interval: 500 }).toEqual(['completed'])
    await api.database.pool.query(`update vote_rewards set started_at = started_at - interval '6 minutes'`)
    await runRewardsUpkeep(api.deps)
    expect(await statuses()).toEqual(['ran', 'may_have_run'])
    run.worked('commands run', game.commands.length)
    run.expectNothingLost({
      'commands run twice': game.commands.filter((command, n) => game.commands.indexOf(command) !== n),
    })
    expect(game.commands).toEqual(['give Ann', 'give Bob', 'say Bob'])
  },
  FAULT_RUN_TIMEOUT_MS,
)

test(
  'a worker is stopped while it sends rewards one after the other: each either ran or waits for another worker',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const worker = await startProcess('workers/main.ts', api.database.url)
    const { id, owner, game } = await open({ answer: () => sleep(1_000, '') })
    await call(owner, 'PUT', `/servers/${id}/vote-rewards`, { when: 'vote', commands: ['say {username}'] })
    for (let vote = 0; vote < 40; vote++) await voteOnce(api, id, { username: `Ann${vote}` })
    await expect.poll(() => game.commands.length, { timeout: 8_000 }).toBeGreaterThan(0)
    const exited = once(worker.child, 'exit')
    worker.child.kill('SIGTERM')
    run.tried('worker stopped with rewards under way')
    expect(await exited).toEqual([0, null])
    const { rows } = await api.database.pool.query<{ state: string }>(
      `select case when started_at is null then 'waiting' else coalesce(outcome, 'running') end as state
       from vote_rewards where server_id = $1`,
      [id],
    )
    const inState = (wanted: string) => rows.filter(({ state }) => state === wanted)
    run.worked('commands run', game.commands.length)
    run.expectNothingLost({ 'rewards that may have run': inState('running') })
    expect([inState('answered').length, inState('waiting').length]).toEqual([
      game.commands.length,
      40 - game.commands.length,
    ])
  },
  FAULT_RUN_TIMEOUT_MS,
)
