// Reads a world's fingerprint from an answer, for the games that report one.
import type { QueryResult } from 'gamedig'
import type { PollTarget } from '../../src/features/polling/index.ts'
import type { WorldFingerprint } from '../../src/features/wipes/index.ts'
import { fieldsOf } from './fields.ts'

/** Querying rules doubles a poll; at one poll in ten it cost a worker a seventh of its servers/s. */
const ONE_POLL_IN = 30
const MAX_TEXT_LENGTH = 100
/** Rust's first servers. */
const EARLIEST_BIRTH = Date.UTC(2013, 0, 1) / 1000
const LATEST_BIRTH = 2 ** 32

type Reader = (raw: Record<string, unknown>, result: QueryResult) => WorldFingerprint

const READERS: Record<string, Reader> = {
  /** `DayTime_s` in the rules: the day of the world. */
  ase: ({ rules }, result) => ofDay(fieldsOf(rules).DayTime_s, result),
  /** The same in the session that the game's servers register with the publisher. */
  asa: ({ attributes }, result) => ofDay(fieldsOf(attributes).DAYTIME_s, result),
  /** The keyword `born1699999999`, when the world was created; else the seed and size in the rules, and the map. */
  rust: ({ tags, rules }, result) => {
    const bornAt = birthOf(tags)
    if (bornAt) return { bornAt }
    const seed = worldOf(fieldsOf(rules))
    const map = textOf(result.map)
    return { ...(seed ? { seed } : {}), ...(map ? { map } : {}) }
  },
}

/** @returns undefined if the game, or this answer, reports nothing */
export function fingerprintOf(game: string, result: QueryResult): WorldFingerprint | undefined {
  const read = Object.hasOwn(READERS, game) ? READERS[game] : undefined
  const fingerprint = read?.(fieldsOf(result.raw), result)
  return fingerprint && Object.keys(fingerprint).length ? fingerprint : undefined
}

/** Whether rules would report more than this answer did. */
export const rulesTellMore = (game: string, fingerprint: WorldFingerprint | undefined): boolean =>
  (game === 'ase' && fingerprint?.day === undefined) || (game === 'rust' && fingerprint?.bornAt === undefined)

/**
 * Whether to query rules at this poll: at the first at an address, so that a server's own words are shown soon; after a
 * failed poll, because a server goes down before a new world starts; and at one poll in thirty, a different one for
 * each server, for servers that restarted between two polls.
 */
export const isRulesPoll = ({
  serverId,
  cycle,
  isFirst,
  consecutiveFailures,
}: Pick<PollTarget, 'serverId' | 'cycle' | 'isFirst' | 'consecutiveFailures'>): boolean =>
  isFirst ||
  consecutiveFailures > 0 ||
  // the last digits of an id are random
  (cycle + Number.parseInt(serverId.slice(-6), 16)) % ONE_POLL_IN === 0

function ofDay(day: unknown, { map }: QueryResult): WorldFingerprint {
  const text = typeof day === 'number' ? String(day) : textOf(day)
  // Worlds start at day 1; 0 is a server that has not loaded its world yet.
  if (!text || !/^[1-9]\d{0,8}$/.test(text)) return {}
  const shown = textOf(map)
  return { day: Number(text), ...(shown ? { map: shown } : {}) }
}

function birthOf(tags: unknown): Date | undefined {
  const tag = Array.isArray(tags) && tags.find((one) => typeof one === 'string' && /^born\d{9,10}$/.test(one.trim()))
  const seconds = tag ? Number(tag.trim().slice('born'.length)) : 0
  return seconds > EARLIEST_BIRTH && seconds < LATEST_BIRTH ? new Date(seconds * 1000) : undefined
}

function worldOf(rules: Record<string, unknown>): string | undefined {
  const [seed, size] = [textOf(rules['world.seed']), textOf(rules['world.size'])]
  return seed && size ? `${seed}/${size}` : undefined
}

/** One line of text from a server; undefined for an empty value or anything but text. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, MAX_TEXT_LENGTH)
      .toWellFormed() || undefined
  )
}
