// The expected directory in its simplest form: objects in an array, filtered and sorted for each request.

import { expect } from 'vitest'
import { monthNumberOf } from '../../../src/features/directory/engine/instants.ts'
import { mixBits } from '../../../src/features/directory/engine/mix-bits.ts'
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from '../../../src/features/directory/engine/rows.ts'
import { gameName } from '../../../src/features/games/index.ts'
import type { StoredProfile } from '../../../src/features/profiles/index.ts'
import { connectionOf, editionAddresses } from '../../../src/features/servers/index.ts'
import { continentOf } from '../../../src/platform/countries.ts'
import { fold } from '../../../src/platform/fold-text.ts'

export interface ModelServer {
  id: string
  name: string
  description: string
  ipAddress: string
  gamePort: number
  gamePortGiven: boolean
  queryPort: number
  bedrockAddress: string
  bedrockPort: number | null
  game: string
  gameMode: '' | 'PvP' | 'PvE' | 'PvPvE'
  region: string
  tags: string[]
  website: string
  chatUrl: string
  bannerUrl: string
  rates: string
  mods: string
  isVerified: boolean
  isClaimed: boolean
  source: string | null
  isFeatured: boolean
  lastWipeAt: number | null
  nextWipeAt: number | null
  createdAt: number
  updatedAt: number
  profile: StoredProfile | null
  isOnline: boolean
  currentPlayers: number
  currentBots: number
  hasPassword: boolean | null
  javaOnline: boolean | null
  bedrockOnline: boolean | null
  maxPlayers: number
  map: string
  version: string
  consecutiveFailures: number
  lastPolledAt: number | null
  freshUntil: number | null
  country: string
  queryMs: number | null
  totalVotes: number
  votesOfMonth: number
  votesMonth: number
  voteScore: string
  playScore: string
  uptime: { day: number | null; week: number | null; month: number | null }
  recentVotes: number
}

export const modelServer = (given: Partial<ModelServer> & { id: string }): ModelServer => ({
  name: 'A server',
  description: '',
  ipAddress: '203.0.113.7',
  gamePort: 7777,
  gamePortGiven: true,
  queryPort: 27015,
  bedrockAddress: '',
  bedrockPort: null,
  game: 'ase',
  gameMode: '',
  region: '',
  tags: [],
  website: '',
  chatUrl: '',
  bannerUrl: '',
  rates: '',
  mods: '',
  isVerified: false,
  isClaimed: false,
  source: null,
  isFeatured: false,
  lastWipeAt: null,
  nextWipeAt: null,
  createdAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 0, 1),
  profile: null,
  isOnline: false,
  currentPlayers: 0,
  currentBots: 0,
  hasPassword: null,
  javaOnline: null,
  bedrockOnline: null,
  maxPlayers: 0,
  map: '',
  version: '',
  consecutiveFailures: 0,
  lastPolledAt: null,
  freshUntil: null,
  country: '',
  queryMs: null,
  totalVotes: 0,
  votesOfMonth: 0,
  votesMonth: 0,
  voteScore: '0',
  playScore: '0',
  uptime: { day: null, week: null, month: null },
  recentVotes: 0,
  ...given,
})

export const serverRow = (s: ModelServer, changedIn: number, listed = true): ServerRow => ({
  id: s.id,
  changedIn,
  listed,
  name: s.name,
  description: s.description,
  ipAddress: s.ipAddress,
  gamePort: s.gamePort,
  gamePortGiven: s.gamePortGiven,
  bedrockAddress: s.bedrockAddress,
  bedrockPort: s.bedrockPort,
  queryPort: s.queryPort,
  game: s.game,
  gameMode: s.gameMode,
  region: s.region,
  tags: s.tags.join(','),
  website: s.website,
  chatUrl: s.chatUrl,
  bannerUrl: s.bannerUrl,
  rates: s.rates,
  mods: s.mods,
  isVerified: s.isVerified,
  isClaimed: s.isClaimed,
  source: s.source,
  isFeatured: s.isFeatured,
  lastWipeAt: s.lastWipeAt,
  nextWipeAt: s.nextWipeAt,
  createdAt: s.createdAt,
  updatedAt: s.updatedAt,
  profile: s.profile,
  logoHash: null,
  bannerHash: null,
})

export const statusRow = (s: ModelServer, changedIn: number): StatusRow => ({
  id: s.id,
  changedIn,
  isOnline: s.isOnline,
  currentPlayers: s.currentPlayers,
  currentBots: s.currentBots,
  maxPlayers: s.maxPlayers,
  map: s.map,
  version: s.version,
  hasPassword: s.hasPassword,
  javaOnline: s.javaOnline,
  bedrockOnline: s.bedrockOnline,
  consecutiveFailures: s.consecutiveFailures,
  lastPolledAt: s.lastPolledAt,
  freshUntil: s.freshUntil,
  country: s.country,
  queryMs: s.queryMs,
})

export const countersRow = (s: ModelServer, changedIn: number): CountersRow => ({
  id: s.id,
  changedIn,
  totalVotes: s.totalVotes,
  monthlyVotes: s.votesOfMonth,
  votesMonth: s.votesMonth,
  voteScore: s.voteScore,
  playScore: s.playScore,
})

export const uptimeRow = (s: ModelServer, changedIn: number): UptimeRow => ({ id: s.id, changedIn, ...s.uptime })

const iso = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString())
const monthlyVotes = (s: ModelServer, now: number) => (s.votesMonth === monthNumberOf(now) ? s.votesOfMonth : 0)

const regionOf = (s: ModelServer) => s.region || continentOf(s.country)

/** A field of the listing: its owner's, else what the game server says. */
const shown = (s: ModelServer, field: 'description' | 'website' | 'bannerUrl' | 'gameMode' | 'mods') =>
  s[field] || (s.profile?.[field] ?? '')

/** An item of `GET /servers`. */
export const listItem = (s: ModelServer, now: number) => ({
  id: s.id,
  name: s.name,
  ipAddress: s.ipAddress,
  gamePort: s.gamePort,
  currentPlayers: s.currentPlayers,
  maxPlayers: s.maxPlayers,
  isOnline: s.isOnline,
  map: s.map,
  description: shown(s, 'description'),
  totalVotes: s.totalVotes,
  createdAt: iso(s.createdAt),
  game: s.game,
  gameName: gameName(s.game),
  gameMode: shown(s, 'gameMode'),
  ...connectionOf(s),
  currentBots: s.currentBots,
  hasPassword: s.hasPassword,
  iconUrl: s.profile?.icon ? `https://servers.example/icons/${s.profile.icon}.png` : null,
  logoUrl: s.profile?.icon ? `https://servers.example/icons/${s.profile.icon}.png` : null,
  country: s.country,
  region: regionOf(s),
  isRegionDerived: s.region === '' && s.country !== '',
  tags: s.tags.join(','),
  rates: s.rates,
  monthlyVotes: monthlyVotes(s, now),
  lastWipeAt: iso(s.lastWipeAt),
  nextWipeAt: iso(s.nextWipeAt),
  isFeatured: s.isFeatured,
  isVerified: s.isVerified,
  isClaimed: s.isClaimed,
  source: s.source ?? (s.isClaimed ? 'owner' : 'import'),
  bannerUrl: shown(s, 'bannerUrl'),
  motd: (s.profile?.motd ?? '').replace(/§./g, ''),
  lastPolledAt: iso(s.lastPolledAt),
  isStale: s.lastPolledAt === null || s.freshUntil === null || now > s.freshUntil,
  queryMs: s.queryMs,
})

/** Scores that differ by less than a millionth are equal. */
function scoreOf({ voteScore, playScore, uptime: { day, week } }: ModelServer): number {
  const score = (Number(voteScore) + Number(playScore)) * Math.max(0.01, (day ?? 1) * (week ?? 1))
  return score === 0 ? 0 : Math.round(Math.log2(score) * 2 ** 20)
}

/** Place by votes among all servers, from 1. */
export const ranks = (servers: Iterable<ModelServer>): Map<string, number> =>
  new Map(
    [...servers]
      .sort((a, b) => b.totalVotes - a.totalVotes || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((s, n) => [s.id, n + 1]),
  )

/** `GET /servers/:id`. */
export const detail = (s: ModelServer, now: number, rank: number) => ({
  ...listItem(s, now),
  rank,
  score: expect.any(Number),
  queryPort: s.queryPort,
  mods: shown(s, 'mods'),
  chatUrl: s.chatUrl,
  website: shown(s, 'website'),
  version: s.version,
  updatedAt: iso(s.updatedAt),
  bannerImageUrl: null,
  motdFormatted: s.profile?.motd ?? '',
  selfReported: (['description', 'website', 'bannerUrl', 'gameMode', 'mods'] as const).filter(
    (field) => s[field] !== shown(s, field),
  ),
  editions: s.bedrockAddress
    ? {
        java: { connectAddress: connectionOf(s).connectAddress, isOnline: s.javaOnline ?? false },
        bedrock: { connectAddress: editionAddresses(s)?.bedrock, isOnline: s.bedrockOnline ?? false },
      }
    : null,
  consecutiveFailures: s.consecutiveFailures,
  uptime: s.uptime,
})

function matches(s: ModelServer, q: DirectoryQuery): boolean {
  const has = (wanted: string | undefined, value: string) => !wanted || fold(wanted) === fold(value)
  const { minMultiplier: min, maxMultiplier: max } = q
  const multipliers = s.rates
    .split(',')
    .map((pair) => pair.split(':').map((part) => part.trim().toLowerCase()))
    .filter(([name]) => name === 'xp' || name === 'taming' || name === 'harvest')
    .map(([, value]) => Number(value))
  return (
    fold(s.name).includes(fold(q.search ?? '')) &&
    has(q.map, s.map) &&
    has(q.region, regionOf(s)) &&
    (!q.game?.length || q.game.includes(s.game) || (s.bedrockAddress !== '' && q.game.includes('mbe'))) &&
    (!q.country?.length || q.country.includes(s.country)) &&
    (!q.gameMode || shown(s, 'gameMode') === q.gameMode) &&
    (q.tags ?? []).every((tag) => s.tags.some((own) => fold(own) === fold(tag))) &&
    (!q.isVerified || s.isVerified) &&
    (q.isClaimed === undefined || s.isClaimed === q.isClaimed) &&
    (!q.isFeatured || s.isFeatured) &&
    has(q.version, s.version) &&
    s.currentPlayers >= (q.minPlayers ?? 0) &&
    s.currentPlayers <= (q.maxPlayers ?? Number.POSITIVE_INFINITY) &&
    (!q.hasFreeSlots || (s.isOnline && s.currentPlayers < s.maxPlayers)) &&
    (q.hasPassword === undefined || (s.hasPassword === true) === q.hasPassword) &&
    (!q.notEmpty || s.currentPlayers > 0) &&
    (q.minUptime === undefined || (s.uptime.month !== null && s.uptime.month >= q.minUptime)) &&
    (q.createdSince === undefined || s.createdAt >= q.createdSince) &&
    (q.wipesBetween === undefined ||
      (s.nextWipeAt !== null && s.nextWipeAt >= q.wipesBetween[0] && s.nextWipeAt <= q.wipesBetween[1])) &&
    (!q.onlineOnly || s.isOnline) &&
    (q.wipedSince === undefined || (s.lastWipeAt !== null && s.lastWipeAt >= q.wipedSince)) &&
    ((min === undefined && max === undefined) ||
      multipliers.some((value) => value >= (min ?? 0) && value <= (max ?? Number.POSITIVE_INFINITY)))
  )
}

/** The expected answer of `GET /servers`. */
export function page(servers: Iterable<ModelServer>, { page: number = 1, ...q }: DirectoryQuery, now: number) {
  const all = [...servers]
  const rankOf = ranks(all)
  const key = (s: ModelServer): number | string | null => {
    if (q.sortBy.startsWith('random')) return mixBits(Number.parseInt(s.id.slice(-8), 16), Number(q.sortBy.slice(7)))
    if (q.sortBy === 'monthlyVotes') return monthlyVotes(s, now)
    if (q.sortBy === 'name') return fold(s.name)
    if (q.sortBy === 'uptime') return s.uptime.month
    if (q.sortBy === 'lastWipeAt') return s.lastWipeAt === null ? null : Math.floor(s.lastWipeAt / 1000)
    if (q.sortBy === 'nextWipeAt') return s.nextWipeAt === null ? null : Math.floor(s.nextWipeAt / 1000)
    if (q.sortBy === 'score') return scoreOf(s)
    if (q.sortBy === 'rank') return rankOf.get(s.id) ?? 0
    return s[q.sortBy as 'totalVotes' | 'recentVotes' | 'currentPlayers' | 'createdAt']
  }
  const direction = q.sortOrder === 'asc' ? 1 : -1
  const compare = (a: number | string | null, b: number | string | null) => {
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1 // unknown ones last, in both directions
    return direction * (a < b ? -1 : 1)
  }
  const found = all
    .filter((s) => matches(s, q))
    .sort((a, b) => compare(key(a), key(b)) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const from = (number - 1) * q.limit
  return {
    servers: found
      .slice(from, from + q.limit)
      .map((s) => ({ ...listItem(s, now), rank: rankOf.get(s.id), score: expect.any(Number) })),
    pagination: {
      page: number,
      limit: q.limit,
      total: found.length,
      totalPages: Math.ceil(found.length / q.limit),
    },
  }
}
