// How many people and how many bots play. docs/decisions/0051-people-bots-and-own-words.md has the sources.
import type { QueryResult } from 'gamedig'
import { fieldsOf } from './fields.ts'
import { reportedPlayers } from './player-count.ts'
import { safeCount } from './safe-values.ts'

interface Counts {
  /** People. */
  players: number
  bots: number
}

type CountBots = (reported: number, result: QueryResult) => Counts

/** The reported number includes the bots. */
function withBots(reported: number, value: unknown): Counts {
  const bots = Math.min(safeCount(value), reported)
  return { players: reported - bots, bots }
}

/** The reported number is of people. */
const withoutBots = (reported: number, value: unknown): Counts => ({ players: reported, bots: safeCount(value) })

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** Counter-Strike: Global Offensive and its successor. */
const COUNTER_STRIKE = 730

const valve: CountBots = (reported, { raw }) => {
  const { appId, numbots } = fieldsOf(raw)
  return appId === COUNTER_STRIKE ? withoutBots(reported, numbots) : withBots(reported, numbots)
}
/** The bots are a list: gamedig takes players with a ping of 0 for bots. */
const byPing: CountBots = (reported, { bots }) => withBots(reported, lengthOf(bots))

/**
 * How to count bots, by protocol. A protocol whose servers never report bots is there too, if gamedig's class inherits
 * from one that does: a test compares this with its sources.
 */
export const BOTS: Readonly<Record<string, CountBots>> = {
  cs2d: (reported, { raw }) => withBots(reported, fieldsOf(raw).numbots),
  dayz: valve,
  doom3: byPing,
  ffow: valve,
  fivem: byPing,
  // Battlefield 2's. Other games have no such field.
  gamespy3: (reported, { players }) =>
    withBots(reported, Array.isArray(players) ? players.filter(isBattlefieldBot).length : 0),
  goldsrc: valve,
  hexen2: byPing,
  quake1: byPing,
  quake2: byPing,
  quake3: byPing,
  renegadex: (reported, { raw }) => withoutBots(reported, fieldsOf(raw).Bots),
  rfactor: (reported, { raw }) => withoutBots(reported, fieldsOf(raw).bots),
  sdtd: valve,
  toxikk: valve,
  // Unreal Tournament 2004 adds bots to the number, up to the slots less one and only if people play; Killing Floor and
  // others do not.
  unreal2: (reported, { players, bots }) => ({
    players: safeCount(Math.max(lengthOf(players), reported - lengthOf(bots))),
    bots: safeCount(lengthOf(bots)),
  }),
  ut3: (reported, { raw }) => withoutBots(reported, fieldsOf(raw).numbots),
  valve,
  warsow: byPing,
  xonotic: byPing,
}

const isBattlefieldBot = (player: unknown): boolean => fieldsOf(fieldsOf(player).raw).AIBot === '1'

export function countPeople(protocol: string, result: QueryResult): Counts {
  const reported = safeCount(reportedPlayers(protocol, result))
  const countBots = Object.hasOwn(BOTS, protocol) ? BOTS[protocol] : undefined
  return countBots ? countBots(reported, result) : { players: reported, bots: 0 }
}
