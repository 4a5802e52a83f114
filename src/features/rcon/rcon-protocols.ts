// Which RCON protocol the servers of a game speak.

export type RconProtocol = 'source' | 'quake3' | 'webrcon'

/**
 * Games of the Quake 3 engine, FiveM and RedM; a test compares them with those that gamedig queries by these protocols.
 */
export const QUAKE3_GAMES: ReadonlySet<string> = new Set(
  `cod coduo cod2 cod3 cod4mw codwaw codmw2 nexuiz openarena plutonium q3a rtcw sof2
   stvef stvef2 swjkja swjk2jo tremulous urbanterror wet wop protocol-quake3 gta5f rdr2r`.split(/\s+/),
)

/** Source RCON for all other games: those of Valve, Minecraft, ARK and many more. */
export const rconProtocolOf = (game: string): RconProtocol =>
  game === 'rust' ? 'webrcon' : QUAKE3_GAMES.has(game) ? 'quake3' : 'source'
