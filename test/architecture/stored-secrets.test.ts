// Compares what is encrypted with what is encrypted again after APP_SECRET was changed: else it is lost with
// APP_SECRET_PREVIOUS.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The columns in which a file's secrets are stored, or why these need not be readable for long. */
const STORED: Record<string, string[] | string> = {
  'src/features/account-deletion/account-deletion.operations.ts':
    'an address in a job of a mail, which is sent within days',
  'src/features/accounts/second-factor/factors.service.ts': ['one-time-code one_time_code_secrets.secret'],
  'src/features/alerts/browsers.operations.ts': ['push push_browsers.subscription'],
  'src/features/notifications/chat-webhook.operations.ts': ['chat chat_webhooks.url'],
  'src/features/push/push-keys.store.ts': ['push push_keys.private_key'],
  'src/features/rcon/completion.ts': 'an answer for a request that waits for seconds',
  'src/features/rcon/rcon.operations.ts': ['rcon rcon_credentials.password'],
  'src/features/rcon/sending.service.ts': 'a command that runs within seconds',
  'src/features/reminders/reminders.operations.ts': ['push vote_reminders.subscription'],
  'src/features/rewards/runner.service.ts': ['rcon vote_rewards.answer'],
  'src/features/webhooks/encrypted-url.ts': ['webhook-url endpoints.url'],
  'src/features/webhooks/endpoint.service.ts': ['webhook endpoints.previous_secret', 'webhook endpoints.secret'],
}

const sources = ['src', 'workers'].flatMap((folder) =>
  fs
    .globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: ['src/generated', 'src/platform/db/reencrypt.ts'] })
    .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') })),
)

it('every file that encrypts says where its secrets are stored', () => {
  const encrypting = sources.flatMap(({ file, text }) => (/\.encrypt\(\s*'/.test(text) ? [file] : []))
  expect(encrypting.sort()).toEqual(Object.keys(STORED).sort())
})

it('every stored secret is encrypted again', () => {
  const call = /reencrypt\(\w+, '([\w-]+)', \{\s*table: '(\w+)',\s*key: '\w+',\s*columns: \[([^\]]+)\]/g
  const again = sources.flatMap(({ text }) =>
    [...text.matchAll(call)].flatMap(([, purpose, table, columns = '']) =>
      [...columns.matchAll(/'(\w+)'/g)].map(([, column]) => `${purpose} ${table}.${column}`),
    ),
  )
  expect(again.sort()).toEqual(
    Object.values(STORED)
      .filter((stored) => typeof stored !== 'string')
      .flat()
      .sort(),
  )
})
