// The commands sent to the game server for a vote. Voters type their names themselves, so a name must
// never become a command.

/** Values of the vote that is rewarded. */
export interface RewardValues {
  username: string
  gamePlatformId: string
  /** The same, but the SteamID64 where it is an identifier of Steam. */
  platformIdKey: string
  /** Votes of this player for the server, this one included. */
  votes: number
  /** Days in a row with a vote of this player, up to this vote. */
  streak: number
}

/**
 * Letters from A to Z, digits and `_ . -`, and `:` in identifiers (`STEAM_0:1:2345`): no console takes these for the
 * end of a command or of an argument, a quote, a variable (`$`, `%`), a selector (`@a`, `*`) or an option (a leading
 * `-`).
 */
const SAFE = {
  username: /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
  gamePlatformId: /^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/,
  votes: /^\d+$/,
  streak: /^\d+$/,
} as const satisfies Partial<Record<keyof RewardValues, RegExp>>

const PLACEHOLDER = /\{(username|gamePlatformId|votes|streak)\}/g

/** @returns the commands; undefined if a value that they name has other characters or is empty */
export function renderCommands(templates: readonly string[], values: RewardValues): string[] | undefined {
  let isSafe = true
  const commands = templates.map((template) =>
    template.replace(PLACEHOLDER, (_all, name: keyof typeof SAFE) => {
      const value = textOf(name, values)
      isSafe &&= SAFE[name].test(value)
      return value
    }),
  )
  return isSafe ? commands : undefined
}

/**
 * `[U:1:2345]` and the address of a profile can't be in a command: their SteamID64 is. Others are as
 * the voter typed them.
 */
const textOf = (name: keyof typeof SAFE, values: RewardValues): string =>
  name === 'gamePlatformId' && !SAFE[name].test(values.gamePlatformId) ? values.platformIdKey : String(values[name])
