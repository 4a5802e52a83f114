// Votes since the first of the month before the last one, so that the list, standings and streaks
// show something at once.
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { seededRandom } from '../../../dev/simulator/fleet.ts'
import type { Deps } from '../../../src/deps.ts'
import { recordVotes, runVotesMonth, type VoteInput } from '../../../src/features/votes/index.ts'
import { DAY_MS, HOUR_MS } from '../../../src/platform/durations.ts'
import type { DemoServer } from './listings.ts'

/** Times of day: players vote before school, after it, and at night. */
const TIMES = [6.4, 15.2, 20.7].map((hours) => hours * HOUR_MS)
/** Share of the votes that come from players who vote every day, and have streaks. */
const REGULAR = 0.4
/** Share of the other votes that have no name. */
const ANONYMOUS = 0.3
const MONTHS_AGO = 2

const NAMES = [
  'Ada',
  'Bo',
  'Chidi',
  'Dana',
  'Emre',
  'Freya',
  'Gus',
  'Hana',
  'Ivo',
  'Jun',
  'Kofi',
  'Lena',
  'Mio',
  'Nils',
]
const ENDINGS = ['', '_', '77', 'TV', '_x', '1337', 'o', 'ski', '_de', '21', 'fox', 'HD', '99', 'ette', '_gg', 'mon']

/** A vote of each third of a day's players, some of whom are the same ones as the day before. */
export async function pretendVotes(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  servers: readonly DemoServer[],
): Promise<void> {
  const random = seededRandom(12)
  const options = { onlyWithoutEffects: false, milestones: [], votesPerAddress: 0 }
  const now = Date.now()
  for (const at of times(now)) {
    const inputs = servers
      .filter(({ days }) => at >= now - days * DAY_MS)
      .flatMap((server) => voteInputs(server, { at, expected: votesAt(server, at, now), random }))
    if (inputs.length) await recordVotes(pool, inputs, { ...options, now: new Date(at) })
  }
  await runVotesMonth({ pool, log })
}

/** @param expected number of votes, around which the actual one varies */
function voteInputs(
  server: DemoServer,
  { at, expected, random }: { at: number; expected: number; random: () => number },
): VoteInput[] {
  const timeOfDay = at % DAY_MS
  const votes = expected * (0.6 + 0.8 * random()) * luckOf(server, at)
  const regulars = Math.round(votes * REGULAR)
  const others = Math.floor(votes - regulars + random())
  const inputOf = (visitorId: string, username: string): VoteInput => ({
    id: uuidv7({ msecs: at }),
    serverId: server.id,
    visitorId,
    username,
    gamePlatformId: '',
    addressKey: '',
    senderId: null,
  })
  const ofRegulars = Array.from({ length: regulars }, (_, n) =>
    inputOf(`${server.id} ${timeOfDay} ${n}`, nameOf(n * TIMES.length + TIMES.indexOf(timeOfDay) + server.votes)),
  )
  const ofOthers = Array.from({ length: others }, () =>
    inputOf(randomUUID(), random() < ANONYMOUS ? '' : nameOf(random() * NAMES.length * ENDINGS.length)),
  )
  return [...ofRegulars, ...ofOthers]
}

/** Ascending. */
function times(now: number): number[] {
  const today = new Date(now)
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - MONTHS_AGO, 1)
  const days = Array.from({ length: Math.ceil((now - first) / DAY_MS) }, (_, day) => first + day * DAY_MS)
  return days.flatMap((day) => TIMES.map((time) => day + time)).filter((at) => at < now)
}

/** How many votes to expect. */
function votesAt({ votes, trend = 1 }: DemoServer, at: number, now: number): number {
  const months = (now - at) / (30 * DAY_MS)
  return (votes * trend ** -months) / 30 / TIMES.length
}

/** Some months are better than others, so that places change. */
const luckOf = ({ votes }: DemoServer, at: number): number =>
  0.7 + 0.6 * seededRandom(votes + new Date(at).getUTCMonth())()

function nameOf(seed: number): string {
  const n = Math.floor(seed)
  return `${NAMES[n % NAMES.length]}${ENDINGS[Math.floor(n / NAMES.length) % ENDINGS.length]}`
}
