// The directory's numbers: one typed array per field, indexed by slot. A field takes at most eight bytes per server,
// and there is no object for each server.
import { int32At } from './number-at.ts'
import type { UptimeRow } from './rows.ts'

/** @param capacity in slots: the length of every array */
export function createColumns(capacity = 1024) {
  const doubles = () => new Float64Array(capacity)
  const unknowns = () => doubles().fill(Number.NaN)
  const integers = () => new Int32Array(capacity)
  return {
    capacity,
    createdAt: doubles(),
    /** NaN: never wiped. In the other columns that start as `unknowns()`, NaN means never or unknown. */
    lastWipeAt: unknowns(),
    nextWipeAt: unknowns(),
    lastPolledAt: unknowns(),
    freshUntil: unknowns(),
    currentPlayers: integers(),
    currentBots: integers(),
    maxPlayers: integers(),
    /** 1: players need a password; 0: they don't; -1: unknown. */
    hasPassword: integers().fill(-1),
    /** For a server with two editions: whether each answered the last poll; 1: it did. */
    javaOnline: new Uint8Array(capacity),
    bedrockOnline: new Uint8Array(capacity),
    consecutiveFailures: integers(),
    totalVotes: integers(),
    /** The votes of the month `votesMonth`; replies show `monthlyVotes`, which is 0 once that month is over. */
    votesOfMonth: integers(),
    votesMonth: integers(),
    monthlyVotes: integers(),
    /** log2 of what votes and playing add to the score; -Infinity: nothing. */
    voteScore: doubles().fill(-Infinity),
    playScore: doubles().fill(-Infinity),
    /** Numbers that sort like the score; 0: none. */
    scoreOrder: integers(),
    uptimeDay: unknowns(),
    uptimeWeek: unknowns(),
    uptimeMonth: unknowns(),
    /** Numbers that sort like `uptimeMonth`, `lastWipeAt` and `nextWipeAt`; 0: unknown. */
    uptimeOrder: integers(),
    wipeOrder: integers(),
    nextWipeOrder: integers(),
    /** Votes of the last 24 hours, as of the last `setRecentVotes`. */
    recentVotes: integers(),
    /** The transaction that wrote the row each slot shows, per table; 0: none or unknown. */
    serverChange: doubles(),
    statusChange: doubles(),
    countersChange: doubles(),
    uptimeChange: doubles(),
    /** The hash (`hashText`) of the address in lower case, for look-ups by address. */
    addressHash: new Uint32Array(capacity),
    /** -1: not measured. */
    queryMs: new Int16Array(capacity).fill(-1),
    gamePort: new Uint16Array(capacity),
    queryPort: new Uint16Array(capacity),
    /** Position by createdAt, then id. Maintained by base-orders.ts, like the next two. */
    ageRank: new Uint32Array(capacity),
    /** A number that sorts like createdAt, and is equal for equal createdAt. */
    ageGroup: new Uint32Array(capacity),
    /** A number that sorts like the name, and is equal for equal names; 0 until names are first sorted. */
    nameGroup: new Uint32Array(capacity),
  }
}

export type Columns = ReturnType<typeof createColumns>

/** Grows the arrays by a quarter: by half, 100,000 servers would take 4 MB more. */
export function growColumns(columns: Columns): void {
  const larger = createColumns(Math.ceil(columns.capacity * 1.25))
  for (const [name, column] of Object.entries(columns))
    if (typeof column !== 'number') (larger[name as keyof Columns] as Float64Array).set(column)
  Object.assign(columns, larger)
}

/** Resets a used slot. */
export function clearSlot(columns: Columns, slot: number): void {
  const unused = createColumns(1)
  for (const [name, column] of Object.entries(columns))
    if (typeof column !== 'number') column.set(unused[name as keyof Columns] as Float64Array, slot)
}

type Uptimes = Pick<UptimeRow, 'day' | 'week' | 'month'>

/**
 * Sets the shares of answered polls, 0 to 1; null: no polls.
 * @returns whether the order by the month's share may have changed
 */
export function setUptimes(columns: Columns, slot: number, { day, week, month }: Uptimes): boolean {
  columns.uptimeDay[slot] = day ?? Number.NaN
  columns.uptimeWeek[slot] = week ?? Number.NaN
  columns.uptimeMonth[slot] = month ?? Number.NaN
  const order = month === null ? 0 : realBits(month) + 1
  if (order === columns.uptimeOrder[slot]) return false
  columns.uptimeOrder[slot] = order
  return true
}

const real = new Float32Array(1)
const bitsOfReal = new Int32Array(real.buffer)

/** The bits of a PostgreSQL `real`, which sort like the numbers unless these are negative. */
function realBits(value: number): number {
  real[0] = value
  return int32At(bitsOfReal, 0)
}
