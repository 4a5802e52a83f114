// Checks at the start: production requires https, and likely mistakes are reported.
import { spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings, requireProcessSettings, SettingsError } from '../../src/platform/config/settings.ts'
import { SettingsSchema } from '../../src/platform/config/settings-schema.ts'
import { findMistyped, startWarnings } from '../../src/platform/config/start-warnings.ts'
import { NODE_ARGS } from '../support/node.ts'

const NEEDED = { APP_SECRET: 'x'.repeat(32), DATABASE_URL: 'postgres://directory@127.0.0.1:9/directory' }
const PRODUCTION = { ...NEEDED, NODE_ENV: 'production' }

function start(script: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_ARGS, script], {
    env: { PATH: process.env.PATH, PORT: '0', WORKER_PORT: '0', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { output: () => output, ended: new Promise<number | null>((resolve) => child.once('close', resolve)) }
}

it.each(['https://directory.example/?a=b', 'https://directory.example/#top'])(
  'PUBLIC_BASE_URL, to which paths are appended, can’t be %s',
  (PUBLIC_BASE_URL) => {
    expect(() => readSettings({ ...NEEDED, PUBLIC_BASE_URL })).toThrow('must have no query and no fragment')
  },
)

it('DNS_SERVERS are addresses with ports', () => {
  const read = (DNS_SERVERS: string) => readSettings({ ...NEEDED, DNS_SERVERS }).DNS_SERVERS
  expect(read('192.0.2.53:53, [2001:db8::53]:5353')).toEqual(['192.0.2.53:53', '[2001:db8::53]:5353'])
  expect(read('')).toBeUndefined()
  for (const given of [
    '192.0.2.53',
    '2001:db8::53',
    '[2001:db8::53]',
    'dns.example:53',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '[fe80::1%lo]:53',
    '[192.0.2.53]:53',
    '192.0.2.53:53 192.0.2.54:53',
    ',',
  ])
    expect(() => read(given), given).toThrow('bad setting: DNS_SERVERS must be comma-separated address:port')
})

it.each(['src/main.ts', 'workers/main.ts'])(
  '%s refuses to start in production over http and names the settings',
  async (script) => {
    for (const PUBLIC_BASE_URL of ['', 'http://directory.example']) {
      const refused = start(script, { ...PRODUCTION, PUBLIC_BASE_URL })
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toMatch(
        /^\w+: bad setting: PUBLIC_BASE_URL must be an https address .*ALLOW_HTTP=true[^\n]*\n$/,
      )
    }
  },
)

it('production starts with an https address, or with ALLOW_HTTP', () => {
  const accept = (env: Record<string, string>) => requireProcessSettings(readSettings({ ...PRODUCTION, ...env }))
  expect(accept({ PUBLIC_BASE_URL: 'https://directory.example' }).PUBLIC_BASE_URL).toBe('https://directory.example')
  expect(accept({ ALLOW_HTTP: 'true' }).PUBLIC_BASE_URL).toBe('http://localhost:3000')
  expect(() => accept({ ALLOW_HTTP: 'false' })).toThrow(SettingsError)
  expect(requireProcessSettings(readSettings(NEEDED)).NODE_ENV).toBe('development')
})

it('a start warns once of development settings on an open address, and of a mistyped setting without its value', async () => {
  const api = start('src/main.ts', { ...NEEDED, HOST: '0.0.0.0', PORTT: 'a secret value' })
  await expect.poll(api.output, { timeout: 30_000, interval: 50 }).toContain('waiting for the database')
  expect(api.output().match(/HOST is 0\.0\.0\.0, so other machines can reach this one/g)).toHaveLength(1)
  expect(api.output().match(/PORTT is not a setting: did you mean PORT\?/g)).toHaveLength(1)
  expect(api.output()).not.toContain('a secret value')
})

it.each([
  ['127.0.0.1', {}, 0],
  ['localhost', {}, 0],
  ['::1', {}, 0],
  ['::', {}, 1],
  ['192.168.1.5', {}, 1],
  ['0.0.0.0', { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://directory.example' }, 0],
] as const)('HOST %s with %o has %i warnings', (HOST, more, count) => {
  const env = { HOST, ...NEEDED, ...more }
  expect(startWarnings(env, readSettings(env))).toHaveLength(count)
})

it.each([
  ['PORTT', 'PORT'],
  ['PROT', 'PORT'],
  ['HOTS', 'HOST'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['APP_SECRETS', 'APP_SECRET'],
  ['ALOW_HTTP', 'ALLOW_HTTP'],
  ['SMTP_ULR', 'SMTP_URL'],
  ['SMTP_PASSWORD', 'SMTP_URL'],
  ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
  ['RATE_LIMIT_PER_MINUTE', 'RATE_LIMIT_IP_PER_MINUTE'],
  ['POLL_SECONDS', 'POLL_INTERVAL_SECONDS'],
])('%s is reported as %s', (name, nearest) => {
  expect(findMistyped({ [name]: 'x' })).toEqual([{ name, nearest }])
})

it('no real setting is reported as mistyped', () => {
  expect(findMistyped(Object.fromEntries(Object.keys(SettingsSchema.shape).map((name) => [name, 'x'])))).toEqual([])
})

/** Names of the variables that each of these sets by itself. */
const USUAL = {
  shell: `BASH_ENV COLORTERM COLUMNS DISPLAY EDITOR HISTFILE HISTSIZE HOME HOSTTYPE IFS LANG LC_ALL LESS LINES LOGNAME LS_COLORS
    MACHTYPE MAIL MANPATH OLDPWD OPTARG OSTYPE PAGER PATH PPID PS1 PWD SHELL SHLVL SSH_AUTH_SOCK SSH_TTY TERM TMPDIR TZ USER VISUAL
    XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID PORTAGE PORTDIR`,
  docker: 'HOSTNAME HOME NODE_VERSION YARN_VERSION PATH PWD TERM MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ container',
  kubernetes: `KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_ADDR DASHBOARD_SERVICE_HOST
    DASHBOARD_SERVICE_PORT_HTTP WORKER_PORT_3001_TCP POSTGRES_SERVICE_HOST POD_NAME POD_IP NODE_NAME`,
  systemd: `CREDENTIALS_DIRECTORY INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LISTEN_PID LISTEN_FDNAMES LOGS_DIRECTORY MAINPID
    MEMORY_PRESSURE_WATCH NOTIFY_SOCKET RUNTIME_DIRECTORY STATE_DIRECTORY SYSTEMD_EXEC_PID WATCHDOG_USEC`,
  'GitHub Actions': `CI GITHUB_ACTIONS GITHUB_SHA GITHUB_TOKEN GITHUB_ENV GITHUB_PATH RUNNER_OS RUNNER_TEMP ACTIONS_RUNTIME_URL
    ACTIONS_CACHE_URL AGENT_TOOLSDIRECTORY ANDROID_HOME CHROMEWEBDRIVER DOTNET_ROOT EDGEWEBDRIVER GOROOT_1_22_X64 HOMEBREW_PREFIX
    ImageOS JAVA_HOME LEIN_HOME POWERSHELL_DISTRIBUTION_CHANNEL SELENIUM_JAR_PATH SGX_AESM_ADDR STATS_TRP USE_BAZEL_FALLBACK_VERSION`,
  'npm and Node.js': `npm_config_port npm_package_name npm_lifecycle_event INIT_CWD NODE NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS
    NODE_TLS_REJECT_UNAUTHORIZED NO_COLOR FORCE_COLOR HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE`,
  'hosting platforms': `DATABASE_HOST DATABASE_NAME DATABASE_PASSWORD DYNO FLY_APP_NAME LOG_FORMAT APP_NAME APP_ENV PGHOST PGPORT PGUSER
    PUBLIC_IP RENDER_SERVICE_ID WEB_CONCURRENCY POSTGRES_PASSWORD GRAFANA_PASSWORD`,
}
it.each(Object.entries(USUAL))('no variable that %s sets is reported', (_who, names) => {
  expect(
    findMistyped(
      Object.fromEntries(
        names
          .trim()
          .split(/\s+/)
          .map((name) => [name, 'x']),
      ),
    ),
  ).toEqual([])
})

it('production without https is reported, with https it is not', () => {
  const warnings = (env: Record<string, string>) => {
    const given = { ...PRODUCTION, ALLOW_HTTP: 'true', ...env }
    return startWarnings(given, readSettings(given))
  }
  expect(warnings({ PUBLIC_BASE_URL: 'http://directory.example' })).toEqual([
    expect.stringMatching(/^PUBLIC_BASE_URL is http:\/\/directory\.example: .*without Secure/),
  ])
  expect(warnings({ PUBLIC_BASE_URL: 'https://directory.example' })).toEqual([])
})
