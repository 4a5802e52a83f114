// What is sent to the game server for a vote. Voters type their names themselves, so a name must never become a command.

/** Of the vote that is rewarded. */
export interface RewardValues {
  username: string
  gamePlatformId: string
  /** Votes of this player for the server, this one included. */
  votes: number
}

/**
 * Letters, digits and `_ . -`, and `:` in identifiers (`STEAM_0:1:2345`): no console takes these for the end of a command or of an
 * argument, a quote, a variable (`$`, `%`), a selector (`@a`, `*`) or an option (a leading `-`).
 */
const SAFE = {
  username: /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
  gamePlatformId: /^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/,
  votes: /^\d+$/,
} as const satisfies Record<keyof RewardValues, RegExp>

const PLACEHOLDER = /\{(username|gamePlatformId|votes)\}/g

/** @returns the commands; undefined if a value that they name has other characters or is empty */
export function renderCommands(templates: readonly string[], values: RewardValues): string[] | undefined {
  let isSafe = true
  const commands = templates.map((template) =>
    template.replace(PLACEHOLDER, (_all, name: keyof RewardValues) => {
      const value = String(values[name])
      isSafe &&= SAFE[name].test(value)
      return value
    }),
  )
  return isSafe ? commands : undefined
}
