// `npm start -- --demo`: simulated game servers are listed and polled like real ones.
import { expect, it, vi } from 'vitest'
import { type RunningLauncher, startLauncher } from './support/start-launcher.ts'

async function ask<Reply>({ apiUrl, output }: RunningLauncher, path: string): Promise<Reply> {
  const response = await fetch(apiUrl + path).catch(() => undefined)
  expect(response?.status, output()).toBe(200)
  return (await response?.json()) as Reply
}

const stats = (launcher: RunningLauncher) => ask<Record<string, number>>(launcher, '/api/public/stats')

interface Demo {
  servers: {
    logoUrl: string | null
    iconUrl: string | null
    isFeatured: boolean
    isClaimed: boolean
    lastWipeAt: string | null
    nextWipeAt: string | null
    standing: { place: number | null; previousPlace: number | null }
  }[]
}

/** @param ago months */
function monthAgo(ago: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7)
}

/** What a first look at the product should find: none of it is empty. */
async function showsEverything(launcher: RunningLauncher): Promise<void> {
  const fields = 'logoUrl,iconUrl,isFeatured,isClaimed,lastWipeAt,nextWipeAt,standing'
  // Workers encode the pictures one after the other, and poll the icons.
  await vi.waitFor(async () => {
    const { servers } = await ask<Demo>(launcher, `/api/servers?limit=50&fields=${fields}`)
    const count = (has: (server: Demo['servers'][number]) => boolean) => servers.filter(has).length
    expect(count(({ logoUrl }) => logoUrl !== null)).toBeGreaterThan(25)
    expect(count(({ iconUrl }) => iconUrl !== null)).toBeGreaterThan(0)
    expect(count(({ isFeatured }) => isFeatured)).toBeGreaterThan(0)
    expect(count(({ isClaimed }) => !isClaimed)).toBeGreaterThan(0)
    expect(count(({ lastWipeAt, nextWipeAt }) => lastWipeAt !== null && nextWipeAt !== null)).toBeGreaterThan(3)
    expect(count(({ standing: { previousPlace } }) => previousPlace !== null)).toBeGreaterThan(25)
  }, WAIT_OPTIONS)
  for (const ago of [1, 2]) {
    const { standings } = await ask<{ standings: object[] }>(launcher, `/api/standings?month=${monthAgo(ago)}`)
    expect(standings.length).toBeGreaterThan(20)
  }
  const { placements } = await ask<{ placements: object[] }>(launcher, '/api/ad-placements')
  expect(placements).toHaveLength(1)
  const { auctions } = await ask<{ auctions: { endsAt: string; bidCount: number }[] }>(launcher, '/api/auctions')
  const isSoon = (endsAt: string) => Date.parse(endsAt) > Date.now() && Date.parse(endsAt) < Date.now() + 3_600_000
  expect(auctions.some(({ endsAt, bidCount }) => bidCount > 3 && isSoon(endsAt))).toBe(true)
}

/** A request a second stays below the API’s limit of each client. */
const WAIT_OPTIONS = { timeout: 120_000, interval: 1_000 }

it('shows fifty online servers, and the same fifty when started again', { timeout: 400_000 }, async () => {
  const first = await startLauncher({}, { args: ['--demo'] })
  await vi.waitFor(async () => {
    const { totalServers, onlineServers, totalPlayers } = await stats(first)
    expect(totalServers).toBe(50)
    expect(onlineServers).toBeGreaterThan(30)
    expect(totalPlayers).toBeGreaterThan(100)
  }, WAIT_OPTIONS)
  await vi.waitFor(() => expect(first.output()).toContain('50 simulated game servers on loopback'), WAIT_OPTIONS)
  // A week of polls is pretended; the last hour is rolled up a few minutes after its end. An API process
  // reads them once a minute.
  await vi.waitFor(async () => {
    const { servers } = await ask<{ servers: { playersByHour: (number | null)[] }[] }>(
      first,
      '/api/servers?limit=50&fields=playersByHour',
    )
    for (const { playersByHour } of servers)
      expect(playersByHour.filter((players) => players !== null).length).toBeGreaterThan(20)
  }, WAIT_OPTIONS)
  expect((await stats(first)).totalVotes).toBeGreaterThan(10_000)
  await showsEverything(first)
  first.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = await startLauncher({ DATA_DIR: first.env.DATA_DIR ?? '' }, { args: ['--demo'] })
  await vi.waitFor(() => expect(second.output()).toContain('50 simulated game servers on loopback'), WAIT_OPTIONS)
  expect((await stats(second)).totalServers).toBe(50)
})
