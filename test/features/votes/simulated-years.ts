// Three simulated years of servers of known kinds, hour by hour, ranked by a formula.

const HOURS_A_DAY = 24
const HOURS_A_WEEK = 168
export const DAYS = 1095

/** What a server gets on a day. */
interface Day {
  votes: number
  people: number
  isUp: boolean
}
const up = (votes: number, people: number): Day => ({ votes, people, isUp: true })
const DOWN: Day = { votes: 0, people: 0, isUp: false }

/** The kinds of the brief: each is a rule that ranks must treat well. Days count from 0. */
export const KINDS = {
  /** 200 votes a day for two years, since then 40. */
  'old giant': (day: number) => (day < 730 ? up(200, 300) : up(40, 60)),
  'steady server': () => up(60, 80),
  /** Listed on day 1000. */
  newcomer: (day: number) => (day < 1000 ? DOWN : up(100, 120)),
  /** A small server that buys 1,000 votes on day 1050. */
  buyer: (day: number) => up(day === 1050 ? 1005 : 5, 8),
  /** Full for the first two weeks of each season of sixty days. */
  'seasonal server': (day: number) => (day % 60 < 14 ? up(150, 200) : up(10, 10)),
  /** 300 votes a day until it went away on day 1040; some people still vote. */
  'dead giant': (day: number) => (day < 1040 ? up(300, 400) : { ...DOWN, votes: 20 }),
  /** Without votes, with as many players as it likes to report. */
  liar: () => up(0, 100_000),
  /** Without votes, with real players. */
  'quiet server': () => up(0, 40),
  /** Nearly without votes and players. */
  'empty server': () => up(1, 1),
  /** As the steady server, but away for six hours of each day. */
  'shaky server': () => ({ ...up(60, 80), hoursDown: 6 }),
} satisfies Record<string, (day: number) => Day & { hoursDown?: number }>
export type Kind = keyof typeof KINDS

export interface Formula {
  halfLifeHours: number
  /** What an hour adds, in votes. */
  playedVotes(people: number): number
  factor(uptime: { day: number; week: number }): number
}

/** Polls of an hour: each minute; of a server that is away every 15 minutes. */
const pollsOf = (isUp: boolean) => (isUp ? { polls: 60, answered: 60 } : { polls: 4, answered: 0 })

/** @returns each day's kinds, best first, with their scores */
export function simulate({ halfLifeHours, playedVotes, factor }: Formula): { kind: Kind; score: number }[][] {
  const fading = 2 ** (-1 / halfLifeHours)
  const servers = Object.entries(KINDS).map(([kind, dayOf]) => ({
    kind: kind as Kind,
    dayOf: dayOf as (day: number) => Day & { hoursDown?: number },
    sum: 0,
    hours: [] as { polls: number; answered: number }[],
  }))
  const share = (hours: { polls: number; answered: number }[]) =>
    hours.reduce((sum, { answered }) => sum + answered, 0) / hours.reduce((sum, { polls }) => sum + polls, 0)
  return Array.from({ length: DAYS }, (_, day) => {
    for (const server of servers) {
      const { votes, people, isUp, hoursDown = 0 } = server.dayOf(day)
      for (let hour = 0; hour < HOURS_A_DAY; hour++) {
        const isHourUp = isUp && hour >= hoursDown
        server.sum = server.sum * fading + votes / HOURS_A_DAY + (isHourUp ? playedVotes(people) : 0)
        server.hours.push(pollsOf(isHourUp))
      }
      server.hours.splice(0, server.hours.length - HOURS_A_WEEK)
    }
    return servers
      .map(({ kind, sum, hours }) => ({
        kind,
        score: sum * factor({ day: share(hours.slice(-HOURS_A_DAY)), week: share(hours) }),
      }))
      .sort((a, b) => b.score - a.score)
  })
}
