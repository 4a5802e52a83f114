// Compares the tables with what users can download about their account: a table that names accounts is in the file, or
// has a reason not to be.
import { expect, it } from 'vitest'
import { PARTS } from '../../src/features/personal-data/personal-data.service.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { createTestDatabase, testLog } from '../support/database.ts'

/** Columns that name an account and are not in the file, each with the reason. */
const NOT_EXPORTED: Record<string, string> = {
  'email_tokens.user_id': 'hashes of mailed links, which expire within a day',
  'login_steps.user_id': 'logins that wait for their second step, for ten minutes',
  'passkey_challenges.user_id': 'hashes of challenges, for six minutes',
  'recovery_codes.user_id': 'hashes of codes',
  'rcon_commands.actor_id': 'encrypted, for seconds; the audit log has the command',
  'vote_voidings.created_by': 'of moderators and administrators; the audit log has it',
  'vote_voidings.restored_by': 'of moderators and administrators; the audit log has it',
  'server_claims.warned_user_id': 'of the claim of another account, about which a mail was sent',
}

const { url } = await createTestDatabase()
const pool = createPool({ url, max: 1, applicationName: 'test', log: testLog })
atFileEnd(() => pool.end())

/** Foreign keys to accounts, and columns of ids whose names say that they name one. */
async function columnsOfAccounts(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select conrelid::regclass::text || '.' || attname as name
     from pg_constraint
     join pg_attribute on attrelid = conrelid and attnum = any(conkey)
     where contype = 'f' and confrelid = 'users'::regclass
     union
     select table_name || '.' || column_name
     from information_schema.columns
     where table_schema = 'public' and data_type = 'uuid'
       and column_name ~ '(^|_)(user|owner|actor|author|creator|member|moderator|admin|voter)_id$|_by$'
     order by 1`,
  )
  return rows.map(({ name }) => name)
}

it('every column that names an account is in the file, or has a reason not to be', async () => {
  const known = [...PARTS.flatMap(({ columns }) => columns), ...Object.keys(NOT_EXPORTED)]
  expect(known.filter((name) => name !== 'users.id').sort()).toEqual(await columnsOfAccounts())
  expect(new Set(known).size).toBe(known.length)
})

it('every part has its own name', () => {
  const names = PARTS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(20)
})
