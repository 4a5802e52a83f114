// `npm start -- --demo`: simulated game servers are listed and polled like real ones.
import { expect, it, vi } from 'vitest'
import { type RunningLauncher, startLauncher } from './support/start-launcher.ts'

async function ask<Reply>({ apiUrl, output }: RunningLauncher, path: string): Promise<Reply> {
  const response = await fetch(apiUrl + path).catch(() => undefined)
  expect(response?.status, output()).toBe(200)
  return (await response?.json()) as Reply
}

const stats = (launcher: RunningLauncher) => ask<Record<string, number>>(launcher, '/api/public/stats')

const WAIT_OPTIONS = { timeout: 120_000, interval: 250 }

it('shows fifty online servers, and the same fifty when started again', { timeout: 400_000 }, async () => {
  const first = await startLauncher({}, { args: ['--demo'] })
  await vi.waitFor(async () => {
    const { totalServers, onlineServers, totalPlayers } = await stats(first)
    expect(totalServers).toBe(50)
    expect(onlineServers).toBeGreaterThan(30)
    expect(totalPlayers).toBeGreaterThan(100)
  }, WAIT_OPTIONS)
  await vi.waitFor(() => expect(first.output()).toContain('50 simulated game servers on loopback'), WAIT_OPTIONS)
  // A week of polls is pretended; the last hour is rolled up a few minutes after its end. An API process reads them once a minute.
  await vi.waitFor(async () => {
    const { servers } = await ask<{ servers: { playersByHour: (number | null)[] }[] }>(
      first,
      '/api/servers?limit=50&fields=playersByHour',
    )
    for (const { playersByHour } of servers)
      expect(playersByHour.filter((players) => players !== null).length).toBeGreaterThan(20)
  }, WAIT_OPTIONS)
  expect((await stats(first)).totalVotes).toBeGreaterThan(100)
  first.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = await startLauncher({ DATA_DIR: first.env.DATA_DIR ?? '' }, { args: ['--demo'] })
  await vi.waitFor(() => expect(second.output()).toContain('50 simulated game servers on loopback'), WAIT_OPTIONS)
  expect((await stats(second)).totalServers).toBe(50)
})
