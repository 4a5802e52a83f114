// How many players an answer reports. The list of players is often a sample, and plugins put lines of text into it, so
// its length is used only for protocols without a number.
import type { QueryResult } from 'gamedig'
import { type Fields, fieldsOf } from './fields.ts'

/** Numbers that gamedig ignores, or replaces by a list's length; by protocol. */
const REPORTED: Readonly<Record<string, (raw: Fields) => unknown>> = {
  // gamedig takes an earlier hour's number instead of 0.
  brokeprotocol: ({ playercount }) => playercount,
  eldewrito: ({ numPlayers }) => numPlayers,
  fivem: ({ clients }) => clients,
  gamespy1: ({ numplayers }) => numplayers,
  hytale: ({ universe }) => fieldsOf(universe).CurrentPlayers,
  kspdmp: ({ player_count }) => player_count,
  minetest: ({ clients }) => clients,
  // Programs that query the server are clients too, and gamedig is one of them.
  teamspeak3: ({ virtualserver_clientsonline: clients, virtualserver_queryclientsonline: programs }) =>
    isNumber(clients) && isNumber(programs) ? Math.max(0, Number(clients) - Number(programs)) : undefined,
  tribes1: ({ playerCount }) => playerCount,
  ventrilo: ({ CLIENTCOUNT }) => CLIENTCOUNT,
}

/**
 * Protocols whose servers may report a list only; gamedig then leaves `numplayers` at 0. A test compares this with its
 * sources.
 */
export const LISTS_ONLY: ReadonlySet<string> = new Set(['discord', 'eldewrito', 'hytale', 'mumble'])

/** @returns any value, as the server sent it */
export function reportedPlayers(protocol: string, { numplayers, players, raw }: QueryResult): unknown {
  const reported = Object.hasOwn(REPORTED, protocol) ? REPORTED[protocol]?.(fieldsOf(raw)) : undefined
  if (isNumber(reported)) return reported
  return LISTS_ONLY.has(protocol) && Array.isArray(players) ? players.length : numplayers
}

/** Also as text; an empty text is none. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\s*\d+\s*$/.test(value))
