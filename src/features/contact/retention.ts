// How long messages of the contact form are kept.
import type { Deps } from '../../deps.ts'
import { deleteOldMessages } from './contact.store.ts'

const KEPT_DAYS = 365
/** Long enough to see whether the hidden field catches people. */
const SUSPECT_KEPT_DAYS = 30

export async function runContactRetention({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const messages = await deleteOldMessages(pool, { kept: KEPT_DAYS, suspectKept: SUSPECT_KEPT_DAYS })
  log.info({ messages }, 'old contact messages deleted')
}
