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
function among(reported: number, value: unknown): Counts {
  const bots = Math.min(safeCount(value), reported)
  return { players: reported - bots, bots }
}

/** The reported number is of people. */
const apart = (reported: number, value: unknown): Counts => ({ players: reported, bots: safeCount(value) })

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** Counter-Strike: Global Offensive and its successor. */
const COUNTER_STRIKE = 730

const valve: CountBots = (reported, { raw }) => {
  const { appId, numbots } = fieldsOf(raw)
  return (appId === COUNTER_STRIKE ? apart : among)(reported, numbots)
}
/** gamedig takes players with a ping of 0 for bots. */
const listed: CountBots = (reported, { bots }) => among(reported, lengthOf(bots))

/**
 * How to count bots, by protocol. A protocol whose servers never report bots is there too, if gamedig's class inherits
 * from one that does: a test compares this with its sources.
 */
export const BOTS: Readonly<Record<string, CountBots>> = {
  cs2d: (reported, { raw }) => among(reported, fieldsOf(raw).numbots),
  dayz: valve,
  doom3: listed,
  ffow: valve,
  fivem: listed,
  // Battlefield 2's. Other games have no such field.
  gamespy3: (reported, { players }) =>
    among(reported, Array.isArray(players) ? players.filter(isBattlefieldBot).length : 0),
  goldsrc: valve,
  hexen2: listed,
  quake1: listed,
  quake2: listed,
  quake3: listed,
  renegadex: (reported, { raw }) => apart(reported, fieldsOf(raw).Bots),
  rfactor: (reported, { raw }) => apart(reported, fieldsOf(raw).bots),
  sdtd: valve,
  toxikk: valve,
  // Unreal Tournament 2004 adds bots to the number, up to the slots less one and only if people play; Killing Floor and
  // others do not.
  unreal2: (reported, { players, bots }) => ({
    players: safeCount(Math.max(lengthOf(players), reported - lengthOf(bots))),
    bots: safeCount(lengthOf(bots)),
  }),
  ut3: (reported, { raw }) => apart(reported, fieldsOf(raw).numbots),
  valve,
  warsow: listed,
  xonotic: listed,
}

const isBattlefieldBot = (player: unknown): boolean => fieldsOf(fieldsOf(player).raw).AIBot === '1'

export function countPeople(protocol: string, result: QueryResult): Counts {
  const reported = safeCount(reportedPlayers(protocol, result))
  const countBots = Object.hasOwn(BOTS, protocol) ? BOTS[protocol] : undefined
  return countBots ? countBots(reported, result) : { players: reported, bots: 0 }
}
