// When an alert fires, as SQL conditions (docs/decisions/0074).

/** How long a server must have been away from what an alert is about, before a return counts. */
export const AWAY = `interval '10 minutes'`

/** Minimum time before an alert fires again: a server that jumps back and forth causes at most eight messages a day. */
export const QUIET = `interval '3 hours'`

/** How long before a wipe its alert fires. */
export const WIPE_AHEAD = `interval '1 hour'`

/** Whether an alert that fired is still true: the schedule of wipes may have been changed or removed since. */
export const IS_CURRENT = `(kind <> 'wipeSoon' or next_wipe_at between now() and now() + ${WIPE_AHEAD})`

/** A tenth of the number, at least two: a number that wavers around the threshold does not leave it. */
const MARGIN = 'greatest(2, ceil(threshold * 0.1))::integer'

/** Where a server's state comes from: columns or parameters. */
interface ServerState {
  /** Whether the server answered; without an answer there is no number. */
  answered: string
  isOnline: string
  players: string
  maxPlayers: string
}

/** Whether the server is in the state that the alert is about. */
export const isMet = ({ answered, players }: ServerState) => `(${answered} and case kind
  when 'playersAtLeast' then ${players} >= threshold
  when 'playersAtMost' then ${players} <= threshold
  else true end)`

/**
 * Whether it is so far from that state that a return counts. A full server is far from every number of people below it.
 */
export const isAway = ({ answered, isOnline, players, maxPlayers }: ServerState) => `(case kind
  when 'playersAtLeast' then ${answered} and ${players} <= greatest(threshold - ${MARGIN}, 0)
  when 'playersAtMost' then ${answered} and ${players} >= greatest(threshold + 1, least(threshold + ${MARGIN}, ${maxPlayers}))
  else not ${isOnline} end)`
