// Reads all that the features store about an account.
import type { PersonalData } from '../../platform/db/personal-data.ts'
import type { Db } from '../../platform/db/pool.ts'
import { personalData as accounts } from '../accounts/index.ts'
import { personalData as alerts } from '../alerts/index.ts'
import { personalData as apiKeys } from '../api-keys/index.ts'
import { personalData as auctions } from '../auctions/index.ts'
import { personalData as audit } from '../audit/index.ts'
import { personalData as billing } from '../billing/index.ts'
import { personalData as claims } from '../claims/index.ts'
import { personalData as contact } from '../contact/index.ts'
import { personalData as discovery } from '../discovery/index.ts'
import { personalData as faces } from '../faces/index.ts'
import { personalData as favorites } from '../favorites/index.ts'
import { personalData as notifications } from '../notifications/index.ts'
import { personalData as rcon } from '../rcon/index.ts'
import { personalData as reminders } from '../reminders/index.ts'
import { personalData as reports } from '../reports/index.ts'
import { personalData as rewards } from '../rewards/index.ts'
import { personalData as servers } from '../servers/index.ts'
import { personalData as teams } from '../teams/index.ts'
import { personalData as votes } from '../votes/index.ts'
import { personalData as webhooks } from '../webhooks/index.ts'
import { personalData as wipes } from '../wipes/index.ts'

/** Maximum number of entries of a part. */
export const MAX_ENTRIES = 10_000

/** Entries of one statement, which are all that the process holds for a client that does not read. */
const PAGE_ENTRIES = 500

/**
 * A feature with a table about accounts adds its list here; test/architecture/personal-data.test.ts
 * compares the tables.
 */
export const PARTS: readonly PersonalData[] = [
  ...accounts,
  ...apiKeys,
  ...auctions,
  ...audit,
  ...billing,
  ...claims,
  ...contact,
  ...discovery,
  ...faces,
  ...favorites,
  ...alerts,
  ...notifications,
  ...rcon,
  ...reminders,
  ...reports,
  ...rewards,
  ...servers,
  ...teams,
  ...votes,
  ...webhooks,
  ...wipes,
]

/**
 * The JSON of a `PersonalDataFile`: one page after the other, as fast as the client takes them, so that a file may have
 * any length. No transaction waits for the client: what is added or removed meanwhile shifts the pages, so that an
 * entry may be twice or missing.
 */
export async function* readPersonalData(db: Db, userId: string, maxEntries = MAX_ENTRIES): AsyncGenerator<string> {
  const incomplete: string[] = []
  yield `{"exportedAt":${JSON.stringify(new Date())},"parts":{`
  for (const [index, { name, read }] of PARTS.entries()) {
    yield `${index ? ',' : ''}${JSON.stringify(name)}:[`
    for (let skip = 0; skip <= maxEntries; skip += PAGE_ENTRIES) {
      const rows = await read(db, userId, { skip, take: PAGE_ENTRIES })
      const entries = rows.slice(0, maxEntries - skip)
      if (entries.length) yield `${skip ? ',' : ''}${JSON.stringify(entries).slice(1, -1)}`
      if (entries.length < rows.length) incomplete.push(name)
      if (rows.length < PAGE_ENTRIES) break
    }
    yield ']'
  }
  yield `},"incomplete":${JSON.stringify(incomplete)}}`
}
