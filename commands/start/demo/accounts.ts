// Accounts of the demo, without passwords: owners with two servers each, and players who report.
import { v7 as uuidv7 } from 'uuid'
import { COMMUNITIES } from '../../../dev/demo/communities.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { DemoServer } from './listings.ts'

// biome-ignore format: several names a line
const OWNERS = [
  'Mara Lindqvist', 'kettlecreek', 'Southpaw', 'Tide Council', 'Ember Isles', 'dino_mum', 'Zawisza', 'Rafa Lima',
  'retakes.nord', 'SkylarkSurf', 'Hollowvale', 'Skerry', 'Turmbau', 'Farolero', 'Ironbark', 'Meadhall',
  'UnionCityRP', 'Le Palais', 'Kestrel HQ', 'Neustart', 'mutual.aid', 'Salz & Söhne', 'Slow Burn', 'Stugan',
]
const REPORTERS = ['Pixelmoth', 'Gusto', 'nine_lives', 'Okapi']
const REPORTS = [
  { reason: 'misleading', details: 'The name says vanilla, but the shop sells kits.' },
  { reason: 'offline', details: 'Has not answered for days, and the Discord is gone as well.' },
  { reason: 'spam', details: 'The same server is listed a second time under another name.' },
  { reason: 'abuse', details: 'Slurs in the message of the day. I have a screenshot.' },
] as const

const emailOf = (username: string) => `${username.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@demo.example`

export interface DemoAccounts {
  /** @returns null if the community of this index is unclaimed */
  ownerOf: (index: number) => string | null
  reporters: readonly string[]
}

/** Adds those that do not exist yet. */
export async function addAccounts({ prisma }: Pool): Promise<DemoAccounts> {
  const usernames = [...OWNERS, ...REPORTERS]
  await prisma.user.createMany({
    data: usernames.map((username) => ({
      id: uuidv7(),
      username,
      email: emailOf(username),
      emailVerifiedAt: new Date(),
    })),
    skipDuplicates: true,
  })
  const users = await prisma.user.findMany({
    where: { email: { in: usernames.map(emailOf) } },
    select: { id: true, email: true },
  })
  const idOf = (username = '') => users.find(({ email }) => email === emailOf(username))?.id ?? null
  const claimed = COMMUNITIES.flatMap(({ unclaimed }, index) => (unclaimed ? [] : [index]))
  return {
    ownerOf: (index) => {
      const nth = claimed.indexOf(index)
      return nth < 0 ? null : idOf(OWNERS[Math.floor(nth / 2) % OWNERS.length])
    },
    reporters: REPORTERS.flatMap((username) => idOf(username) ?? []),
  }
}

/** Open ones, about the last servers of the list. */
export async function pretendReports(
  { prisma }: Pool,
  servers: readonly DemoServer[],
  { reporters }: DemoAccounts,
): Promise<void> {
  await prisma.report.createMany({
    data: REPORTS.flatMap((report, n) => {
      const server = servers[servers.length - 1 - n * 6]
      const userId = reporters[n]
      return server && userId ? [{ id: uuidv7(), serverId: server.id, userId, ...report }] : []
    }),
    skipDuplicates: true,
  })
}
