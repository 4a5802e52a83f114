// How long until the same visitor may vote for the same server again.
import { DAY_MS } from '../../platform/durations.ts'

/** Operation `vote`. The SQL statements have the same 24 hours. */
const COOLDOWN_MS = DAY_MS

export const nextVoteAt = (lastVotedAt: Date): Date => new Date(lastVotedAt.getTime() + COOLDOWN_MS)

/** `5 hours and 12 minutes`, rounded up, so that waiting that long is enough. @param ms more than 0 */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return count(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours && count(hours, 'hour'), rest && count(rest, 'minute')].filter(Boolean).join(' and ')
}

const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`
