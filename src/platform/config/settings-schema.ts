// Every setting: its rule, its default and its description. `npm run settings` generates
// docs/SETTINGS.md from this file.
import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import * as z from 'zod'
import { normalizeEmail } from '../email-address.ts'
import { splitList } from '../text.ts'

const digits = z
  .string()
  .regex(/^-?\d+$/, 'must be a whole number')
  .transform(Number)
const integer = (min: number, max: number) =>
  digits.pipe(z.number().check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`)))
const decimal = (max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().max(max, `must be at most ${max}`))
const oneOf = <Word extends string>(...words: Word[]) =>
  // The list is formatted for an error only: loading the formatter takes 30 ms of a process' start.
  z.enum(words, { error: () => `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)}` })
const flag = oneOf('true', 'false').transform((value) => value === 'true')
const anyText = z.string().optional()
const secret = (min: number) => z.string().min(min, `must have at least ${min} characters`).optional()
const processes = z
  .string()
  .regex(/^([1-9]\d?|auto)$/, 'must be a number from 1 to 99, or auto')
  .transform((count) => (count === 'auto' ? availableParallelism() : Number(count)))
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional()
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
/** Price ids at the payment provider. The first is sold; the others still count for subscribers who have them. */
const prices = z
  .string()
  .transform(splitList)
  .refine((ids) => ids.length > 0 && ids.every((id) => /^\w{1,100}$/.test(id)), 'must be comma-separated price ids')
const ADDRESS_AND_PORT = /^(?:\[(?<ipv6>[^\]%]+)\]|(?<ipv4>[^:]+)):(?<port>[1-9]\d{0,4})$/
/** As Node.js' resolver takes them. */
function isNameServer(given: string): boolean {
  const { ipv4 = '', ipv6 = '', port } = ADDRESS_AND_PORT.exec(given)?.groups ?? {}
  return (isIPv4(ipv4) || isIPv6(ipv6)) && Number(port) <= 65_535
}
const nameServers = z
  .string()
  .transform(splitList)
  .refine(
    (servers) => servers.length > 0 && servers.every(isNameServer),
    'must be comma-separated address:port, as 192.0.2.53:53 or [2001:db8::53]:53',
  )
const sourceNames = z
  .string()
  .transform((list) => [...new Set(splitList(list.toLowerCase()))])
  .refine((names) => names.every((name) => /^[a-z0-9:-]{1,60}$/.test(name)), 'must be comma-separated names of sources')
const SENDER = /^([^<>@\p{C}]{0,100}<[^<>\s@\p{C}]+@[^<>\s@\p{C}]+>|[^<>\s@\p{C}]+@[^<>\s@\p{C}]+)$/u
/** A base URL: paths are appended to it. */
const baseUrl = httpUrl
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/$/, ''))

/** Settings by who needs them. Descriptions are rows of docs/SETTINGS.md; keep them on one line. */
export const SETTING_GROUPS = {
  'For every directory': {
    NODE_ENV: oneOf('development', 'test', 'production')
      .default('development')
      .describe(
        '`production` refuses private game server addresses, and needs `APP_SECRET` and an https `PUBLIC_BASE_URL`',
      ),
    PUBLIC_BASE_URL: baseUrl
      .optional()
      .describe('Address under which people reach the API; default `http://localhost:PORT`'),
    HOST: z
      .string()
      .default('127.0.0.1')
      .describe('Address the API and the worker listen on; `0.0.0.0` for all interfaces'),
    PORT: integer(0, 65_535).default(3000).describe('Port of the API; 0 picks a free port'),
    TRUST_PROXY: integer(0, 10)
      .default(0)
      .describe('Number of reverse proxies in front of the API whose `X-Forwarded-For` entries are trusted'),
    DATABASE_URL: postgresUrl.describe('PostgreSQL 15 to 18; unset: `npm start` runs an embedded one under `DATA_DIR`'),
    DATA_DIR: z
      .string()
      .regex(/\S/, 'must not be blank')
      .regex(/^\P{Cc}*$/u, 'must be on one line')
      .regex(/^[^~]/, 'must not begin with ~, which only a shell expands')
      .default('.data')
      .describe('Folder of the embedded PostgreSQL and generated secrets'),
    APP_SECRET: secret(32).describe(
      'Secret key for hashing client addresses, signing cookies and encrypting stored secrets (of webhooks, RCON, chats, push messages and one-time codes); `npm start` generates one under `DATA_DIR` outside production',
    ),
    ADMIN_EMAILS: z
      .string()
      .transform((list, context) => {
        const emails = splitList(list).map(normalizeEmail)
        if (emails.every((email) => email !== undefined)) return emails
        context.issues.push({ code: 'custom', message: 'must be comma-separated e-mail addresses', input: list })
        return z.NEVER
      })
      .optional()
      .describe('Comma-separated addresses whose accounts are administrators; in production only after verification'),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// address' })
      .optional()
      .describe(
        'Mail server, as `smtps://user:password@mail.example.com`; unset: mails are written to files in `DATA_DIR/mail`',
      ),
    MAIL_FROM: z
      .string()
      .regex(SENDER, 'must be an e-mail address, or `Name <address>`')
      .default('Server Directory <no-reply@localhost>')
      .describe('Sender of mails: an address, or `Name <address>`'),
    SITE: oneOf('on', 'off')
      .default('on')
      .describe(
        '`off`: only the API and its reference, without the pages for visitors; mails then link to `/servers/<id>` of your own site',
      ),
    LISTING_REQUIRES_VERIFICATION: flag
      .default(false)
      .describe('Whether a server is listed only after its owner has verified it'),
    DISCOVER: sourceNames
      .default([])
      .describe(
        'Comma-separated sources from which servers are listed automatically, such as `luanti,beammp` ([SOURCES.md](SOURCES.md)); empty: none',
      ),
    STEAM_WEB_API_KEY: anyText.describe(
      'Key of Steam’s Web API (`https://steamcommunity.com/dev/apikey`), for sources such as `steam:rust`',
    ),
    DEFAULT_GAME: z.string().min(1).default('ase').describe('gamedig type of a server added without one'),
    STRIPE_SECRET_KEY: anyText.describe(
      'Key of the payment provider (Stripe); unset: `npm start` runs a payment sandbox, and in production billing is off',
    ),
    STRIPE_WEBHOOK_SECRET: anyText.describe(
      'Secret with which its events are signed; they go to `PUBLIC_BASE_URL/api/billing/webhook`',
    ),
    STRIPE_PRICE_STANDARD: prices
      .optional()
      .describe('Price id of tier standard; of several, comma-separated, the first is sold and the others still count'),
    STRIPE_PRICE_PREMIUM: prices.optional().describe('Price id of tier premium, likewise'),
    STRIPE_PRICE_ENTERPRISE: prices.optional().describe('Price id of tier enterprise, likewise'),
    DISCORD_CLIENT_ID: anyText.describe(
      'Application at the chat platform (Discord) for logins; unset: no login through it',
    ),
    DISCORD_CLIENT_SECRET: anyText.describe(
      'Its secret; its redirect address is `PUBLIC_BASE_URL/api/auth/chat/callback`',
    ),
  },
  'To fit load and policy': {
    API_PROCESSES: processes
      .default(1)
      .describe(
        'API processes that share `PORT`, for `npm run start:api` and `npm start`; `auto`: one per core, as in the image',
      ),
    WORKER_PROCESSES: processes
      .default(1)
      .describe(
        'Workers that share `WORKER_PORT`, for `npm run start:worker` and `npm start`; `auto`: one per core, as in the image',
      ),
    DATABASE_POOL_MAX: integer(2, 200)
      .default(10)
      .describe(
        'Database connections of a process’s pool; it opens up to 6 more, an API process with `RATE_LIMIT_STORE=postgres` up to 10 more',
      ),
    DATABASE_READ_URL: postgresUrl.describe(
      'A streaming standby of that server: API processes read the directory and player history from it; unset: from the primary',
    ),
    DATABASE_DIRECT_URL: postgresUrl.describe(
      'The PostgreSQL server itself, if `DATABASE_URL` is a transaction pooler (PgBouncer): used for migrations, the queue and LISTEN',
    ),
    OPERATOR_PORT: integer(1, 65_535)
      .optional()
      .describe(
        'Port of the API’s `/healthz`, `/readyz` and `/metrics`, for operators only; `PORT` then answers 404 for these paths; unset: they are on `PORT`',
      ),
    LOG_FORMAT: oneOf('pretty', 'json')
      .optional()
      .describe(
        '`pretty`: lines for people; `json`: an object per line, for log collectors; unset: `pretty` on a terminal',
      ),
    LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
      .optional()
      .describe('Least severe log line written; default `info`, and `warn` if the format is `pretty`'),
    OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl
      .optional()
      .describe('Address of an OpenTelemetry collector (OTLP/HTTP) that traces are sent to; unset: no traces'),
    OTEL_TRACES_SAMPLER_ARG: decimal(1).default(1).describe('Share of requests and jobs that are traced, from 0 to 1'),
    RATE_LIMIT_STORE: z
      .string()
      .regex(/^(memory|postgres|rediss?:\/\/.+)$/, 'must be memory, postgres or a redis:// address')
      .default('memory')
      .describe(
        'Where requests are counted: `memory` (of one start, with all its `API_PROCESSES`), or `postgres` or a `redis://` address (several starts share a count)',
      ),
    RATE_LIMIT_IP_PER_MINUTE: integer(0, 1_000_000_000)
      .default(100)
      .describe('Requests per client address and minute; 0 = off. Of the files that pages load, twenty times as many'),
    RATE_LIMIT_IP_PER_HOUR: integer(0, 1_000_000_000)
      .default(1000)
      .describe('Requests per client address and hour; 0 = off'),
    VOTES_PER_ADDRESS_PER_DAY: integer(0, 1_000_000)
      .default(20)
      .describe('Votes per server and client address that count within 24 hours; 0 = off'),
    VOTE_PROOF: oneOf('none', 'altcha')
      .default('none')
      .describe(
        '`altcha`: a vote needs a proof of work, which the visitor’s browser makes within seconds; needs https and scripts ([VOTES.md](VOTES.md#proof-of-work))',
      ),
    LISTINGS_PER_ACCOUNT: integer(0, 1_000_000)
      .default(100)
      .describe('Servers per account; administrators may list more; 0 = no limit'),
    DISCOVER_FORGET_DAYS: integer(1, 3650)
      .default(14)
      .describe(
        'Days without an answer after which a server that a source found, and no account claimed, is no longer listed',
      ),
    POLL_INTERVAL_SECONDS: integer(1, 86_400)
      .default(60)
      .describe(
        'Time between two polls of a server that answers; API processes need it too, so that each point of a chart has a poll',
      ),
    POLL_CONCURRENCY: integer(1, 10_000)
      .default(200)
      .describe(
        'Game servers one worker queries at the same time; up to four times as many more wait for another attempt',
      ),
    HISTORY_RETENTION_DAYS: integer(1, 3650).default(90).describe('Days for which every poll is kept'),
    HISTORY_HOURLY_DAYS: integer(92, 3650).default(400).describe('Days for which player history is kept per hour'),
    HISTORY_DAILY_DAYS: integer(92, 36500)
      .default(1826)
      .describe('Days for which player history is kept per day; at least the hourly value'),
    AUCTION_RECURRENCE: oneOf('off', 'weekly')
      .default('weekly')
      .describe('Whether each active ad slot is auctioned each week, Monday to Monday UTC'),
    AUCTION_STARTING_BID_CENTS: integer(1, 10_000_000).default(500).describe('Minimum first bid in a weekly auction'),
    AUCTION_MINIMUM_INCREMENT_CENTS: integer(1, 10_000_000)
      .default(100)
      .describe('How much a bid in a weekly auction must exceed the highest one'),
    AUCTION_SOFT_CLOSE_SECONDS: integer(0, 3600)
      .default(0)
      .describe(
        'A bid in the last seconds of an auction moves its end to this many seconds after the bid, by six hours in all at most; 0 = never',
      ),
    NOTIFICATION_DIGEST_MINUTES: integer(0, 1440)
      .default(30)
      .describe(
        'Least time between two mails or chat messages with news to the same user; news of auctions and takeovers: at most 5',
      ),
    JUST_WIPED_DAYS: integer(1, 365).default(7).describe('How long a wiped server counts as `justWiped`'),
  },
  'Rarely needed': {
    WORKER_PORT: integer(0, 65_535)
      .default(3001)
      .describe('Port of a worker’s `/healthz`, `/readyz` and `/metrics`; 0 picks a free port'),
    DRAIN_SECONDS: integer(0, 300)
      .optional()
      .describe(
        'How long an API process that is stopping keeps serving while its `/readyz` answers 503, so that balancers notice; default 5 in production, 0 otherwise and in `npm start`',
      ),
    ALLOW_HTTP: flag
      .default(false)
      .describe(
        'Whether `PUBLIC_BASE_URL` may be `http:` in production; cookies then lose `Secure`, so use it for trials only',
      ),
    APP_SECRET_PREVIOUS: secret(32).describe(
      'The previous `APP_SECRET`, so that everything encrypted under it can still be decrypted',
    ),
    CONNECTIONS_PER_ADDRESS: integer(0, 1_000_000)
      .default(200)
      .describe('Open connections per client address or, with `TRUST_PROXY`, concurrent requests per client; 0 = off'),
    CONTACT_EMAIL: z
      .email('must be an e-mail address')
      .optional()
      .describe('Where contact messages are mailed; default `ADMIN_EMAILS`; without any address they are only stored'),
    BILLING_RETURN_URL: httpUrl
      .optional()
      .describe(
        'Page that the payment pages return to; default `PUBLIC_BASE_URL/payment`, which shows the payment’s state',
      ),
    AUCTION_MAX_RAISE_FACTOR: integer(2, 1_000_000)
      .default(10)
      .describe('Highest accepted bid, as a multiple of the lowest one accepted'),
    BIDS_REQUIRE_VERIFIED_EMAIL: flag
      .optional()
      .describe('Only accounts with a verified e-mail address can bid; default: `true` in production, else `false`'),
    REQUIRE_SECOND_FACTOR: flag
      .optional()
      .describe(
        'Whether administrators and moderators must set up a passkey or one-time codes before they can use their rights; default: `true` in production, else `false`',
      ),
    COUNTRY_DATABASE: anyText.describe(
      'Path of an MMDB file with the country of addresses, read by workers at their start and by the API with the first session; empty: the packaged one',
    ),
    NETWORK_OWNER_DATABASE: anyText.describe(
      'Path of an MMDB file with the owners of networks (AS numbers), read by API processes at their start, for the origin of votes; ' +
        'empty: owners are unknown',
    ),
    ALLOW_PRIVATE_TARGETS: flag
      .optional()
      .describe(
        'Whether servers on private and loopback addresses are polled, and webhooks sent to such addresses; default `true`, in production always `false`',
      ),
    DNS_SERVERS: nameServers
      .optional()
      .describe(
        'Name servers that workers ask for the addresses of game servers and webhooks: comma-separated `address:port`, `[2001:db8::53]:53` for IPv6; unset: the system’s, and its `/etc/hosts`',
      ),
    STREAMS_PER_ADDRESS: integer(0, 1_000_000)
      .default(20)
      .describe('Open live streams per client address, and per account with all its API keys; 0 = off'),
    DIRECTORY_MAX_STALENESS_SECONDS: integer(1, 3600)
      .default(30)
      .describe('Age of the in-memory directory above which the API answers 503'),
  },
}

/** Only for tests and the sandbox of payments: not documented for operators, and read and checked as the others are. */
export const TEST_SETTINGS = {
  /** Address of the payment provider's API. */
  STRIPE_API_BASE: baseUrl.default('https://api.stripe.com'),
  /** Address of the chat platform. */
  DISCORD_BASE_URL: baseUrl.default('https://discord.com'),
  /** Address of the game platform's OpenID 2.0 service. */
  STEAM_OPENID_BASE_URL: baseUrl.default('https://steamcommunity.com/openid'),
  /** Address of Chrome's push service. */
  PUSH_SERVICE_BASE_URL: baseUrl.default('https://fcm.googleapis.com'),
  /** Address of Steam's Web API. */
  STEAM_API_BASE_URL: baseUrl.default('https://api.steampowered.com'),
  /** Multiplies the waits between attempts at a webhook delivery (5 s to 24 h). */
  WEBHOOK_RETRY_SCALE: decimal(10).default(1),
}

export const SettingsSchema = z.object({
  ...SETTING_GROUPS['For every directory'],
  ...SETTING_GROUPS['To fit load and policy'],
  ...SETTING_GROUPS['Rarely needed'],
  ...TEST_SETTINGS,
})
