// What a query of a game server finds out.
import type { PollTarget } from '../../src/features/polling/index.ts'
import type { WorldFingerprint } from '../../src/features/wipes/index.ts'
import type { Identity } from './identity.ts'
import type { Profile } from './profile.ts'

/** What a query needs to know of a server. */
export interface QueryTarget extends Pick<PollTarget, 'game' | 'ipAddress' | 'queryPort' | 'isOnline'> {
  /** Tokens to search for in its name, rules and keywords. */
  tokens?: readonly string[]
  gamePort?: number | undefined
  /** False: the owner gave none, so `gamePort` is the usual one or that of the service of the game's client. */
  gamePortGiven?: boolean | undefined
  /** Whether to query its rules too, if they can show wipes or describe the server. */
  readsRules?: boolean
  /** Whether it is not known that the game runs there. */
  isGuess?: boolean
}

export interface Answer {
  answered: true
  /** People; bots are counted separately. */
  players: number
  bots: number
  /** null: the protocol, or this answer, does not tell. */
  hasPassword: boolean | null
  maxPlayers: number
  map: string
  version: string
  /** Shortest round trip of the query in milliseconds; null for a server that is looked up in a list. */
  queryMs: number | null
  /** Which of a Minecraft server's editions answered, if it has both; undefined: nothing is known about that one. */
  editions?: { java: boolean; bedrock: boolean | undefined }
  /** Which of the target's tokens the server shows; only if it has some. */
  seenTokens?: string[]
  /** The world's fingerprint; only for games that report one. */
  fingerprint?: WorldFingerprint
  /** The game port that an SRV record gave. */
  foundPort?: number
  /** Only if the target `isGuess`. */
  identity?: Identity
  profile: Profile
}

export interface Miss {
  answered: false
  /**
   * - `silent`: no reply in time. `unreadable`: an invalid reply.
   * - `unresolved`, `refused`: not queried, see target-address.ts.
   * - `unknown game`: gamedig has no such type, or can't query it.
   *
   * No evidence about the server:
   * - `skipped`: not queried in time, or too many others wait at its address.
   * - `no list`: the publisher's list could not be downloaded.
   * - `fault`: an error of this program.
   */
  reason: 'silent' | 'unreadable' | 'unresolved' | 'refused' | 'unknown game' | 'skipped' | 'no list' | 'fault'
  /** When the query started, epoch milliseconds. */
  askedAt: number
  detail?: string
}

/** `address`: the IP address that was queried; `country` as `CountryOf` gives it, if the address is known. */
export type Outcome = (Answer | Miss) & { address?: string; country?: string | undefined }

const SAYS_NOTHING: readonly Miss['reason'][] = ['skipped', 'no list', 'fault']

/** Whether the outcome says something about the server. */
export const isEvidence = (outcome: Outcome): boolean => outcome.answered || !SAYS_NOTHING.includes(outcome.reason)

/** @param askedAt when the query started, epoch milliseconds */
export const missOf = (reason: Miss['reason'], askedAt: number, detail?: string): Miss => ({
  answered: false,
  reason,
  askedAt,
  ...(detail === undefined ? {} : { detail }),
})
