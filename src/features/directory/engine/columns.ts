// The directory's numbers: one typed array per field, indexed by slot. Eight bytes per server, where an object would
// take a hundred.

export interface Columns {
  /** Capacity in slots; the length of every array. */
  capacity: number
  createdAt: Float64Array
  /** NaN: never, as in every column of times or shares. */
  lastWipeAt: Float64Array
  lastPolledAt: Float64Array
  freshUntil: Float64Array
  currentPlayers: Int32Array
  maxPlayers: Int32Array
  consecutiveFailures: Int32Array
  totalVotes: Int32Array
  /** As counted in `votesMonth`; `monthlyVotes` is what is shown. */
  votesOfMonth: Int32Array
  votesMonth: Int32Array
  monthlyVotes: Int32Array
  xp: Float64Array
  taming: Float64Array
  harvest: Float64Array
  /** Of the three known multipliers. */
  lowestMultiplier: Float64Array
  highestMultiplier: Float64Array
  uptimeDay: Float64Array
  uptimeWeek: Float64Array
  uptimeMonth: Float64Array
  /** Numbers that sort like `uptimeMonth` and `lastWipeAt`; 0: unknown. */
  uptimeOrder: Int32Array
  wipeOrder: Int32Array
  /** Votes of the last 24 hours, as of the last `setRecentVotes`. */
  recentVotes: Int32Array
  /** Random bits of the id. */
  idBits: Int32Array
  /** The transaction that wrote the row each slot shows, per table; 0: none or unknown. */
  serverChange: Float64Array
  statusChange: Float64Array
  countersChange: Float64Array
  uptimeChange: Float64Array
  /** Of the address, in lower case (`hashText`), for look-ups by address. */
  addressHash: Uint32Array
  /** -1: not measured. */
  queryMs: Int16Array
  gamePort: Uint16Array
  queryPort: Uint16Array
  /**
   * Position by createdAt, then id; and a number that is equal for equal createdAt, ascending. Maintained by orders.ts.
   */
  ageRank: Uint32Array
  ageGroup: Uint32Array
  /** A number that is equal for equal names, ascending. Maintained by orders.ts once names were sorted. */
  nameGroup: Uint32Array
}

export function createColumns(capacity = 1024): Columns {
  const doubles = () => new Float64Array(capacity)
  const unknowns = () => doubles().fill(Number.NaN)
  const integers = () => new Int32Array(capacity)
  return {
    capacity,
    createdAt: doubles(),
    lastWipeAt: unknowns(),
    lastPolledAt: unknowns(),
    freshUntil: unknowns(),
    currentPlayers: integers(),
    maxPlayers: integers(),
    consecutiveFailures: integers(),
    totalVotes: integers(),
    votesOfMonth: integers(),
    votesMonth: integers(),
    monthlyVotes: integers(),
    xp: unknowns(),
    taming: unknowns(),
    harvest: unknowns(),
    lowestMultiplier: unknowns(),
    highestMultiplier: unknowns(),
    uptimeDay: unknowns(),
    uptimeWeek: unknowns(),
    uptimeMonth: unknowns(),
    uptimeOrder: integers(),
    wipeOrder: integers(),
    recentVotes: integers(),
    idBits: integers(),
    serverChange: doubles(),
    statusChange: doubles(),
    countersChange: doubles(),
    uptimeChange: doubles(),
    addressHash: new Uint32Array(capacity),
    queryMs: new Int16Array(capacity).fill(-1),
    gamePort: new Uint16Array(capacity),
    queryPort: new Uint16Array(capacity),
    ageRank: new Uint32Array(capacity),
    ageGroup: new Uint32Array(capacity),
    nameGroup: new Uint32Array(capacity),
  }
}

/** Grows the arrays by half. */
export function growColumns(columns: Columns): void {
  const larger = createColumns(Math.ceil(columns.capacity * 1.5))
  for (const [name, column] of Object.entries(columns))
    if (typeof column !== 'number') (larger[name as keyof Columns] as Float64Array).set(column)
  Object.assign(columns, larger)
}

/** Resets a used slot. */
export function clearSlot(columns: Columns, slot: number): void {
  const unused = createColumns(1)
  for (const [name, column] of Object.entries(columns))
    if (typeof column !== 'number') column[slot] = (unused[name as keyof Columns] as Float64Array)[0] ?? 0
}
