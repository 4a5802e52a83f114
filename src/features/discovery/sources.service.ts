// All sources with their last run and a verdict: those in use, and those that have listed servers before.
import type { Settings } from '../../platform/config/settings.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { findAnnouncementsState } from './announcements.sql.ts'
import { countListed } from './blocks.sql.ts'
import { ANNOUNCEMENTS } from './catalog.ts'
import { findSourceStates, type SourceState } from './runs.sql.ts'
import { judgeSource } from './source-verdict.ts'

const NEVER_RUN: Omit<SourceState, 'source' | 'nextRunAt'> = {
  startedAt: null,
  finishedAt: null,
  found: 0,
  added: 0,
  returned: 0,
  missing: 0,
  refused: {},
  failures: 0,
  error: null,
}

export async function listSources(db: Db, { DISCOVER }: Pick<Settings, 'DISCOVER'>) {
  const states = new Map((await findSourceStates(db)).map((state) => [state.source, state]))
  const listed = await countListed(db)
  const announced = await findAnnouncementsState(db)
  const names = [...new Set([...DISCOVER, ...states.keys()])].sort()
  const now = (await readClock(db)).getTime()
  return names.map((source) => {
    const isEnabled = DISCOVER.includes(source)
    const state = source === ANNOUNCEMENTS ? announced : states.get(source)
    const nextRunAt = (isEnabled && states.get(source)?.nextRunAt) || null
    const row = { ...NEVER_RUN, ...state, source, isEnabled, nextRunAt, listed: listed.get(source) ?? 0 }
    return { ...row, ...judgeSource(row, now) }
  })
}
