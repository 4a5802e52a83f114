// The settings as processes see them: read from the environment once at the start, with derived defaults filled in.
import { SettingsSchema } from './settings-schema.ts'

/** Billing is on when all of these are set, and off when none is. */
const BILLING_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_STANDARD',
  'STRIPE_PRICE_PREMIUM',
  'STRIPE_PRICE_ENTERPRISE',
] as const

export type Settings = ReturnType<typeof readSettings>

/** An invalid setting. Its message is one line that names each invalid setting and its rule. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings from an environment. An empty value counts as unset, as in compose files.
 * @throws SettingsError naming every invalid setting
 */
export function readSettings(env: Record<string, string | undefined>) {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = SettingsSchema.safeParse(variables)
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  if (variables.NODE_ENV === 'production') {
    if (variables.ALLOW_PRIVATE_TARGETS === 'true')
      problems.push('ALLOW_PRIVATE_TARGETS must not be true in production')
    if (!variables.APP_SECRET) problems.push('APP_SECRET is needed in production')
    if (variables.STRIPE_API_BASE?.startsWith('http:')) problems.push('STRIPE_API_BASE must be https in production')
  }
  if (Boolean(variables.DISCORD_CLIENT_ID) !== Boolean(variables.DISCORD_CLIENT_SECRET))
    problems.push('DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET must be set together')
  if (parsed.success && parsed.data.OPERATOR_PORT === parsed.data.PORT)
    problems.push('OPERATOR_PORT must differ from PORT (unset: both are served on PORT)')
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])
    if (variables[name] && !variables.DATABASE_URL)
      problems.push(`${name} needs DATABASE_URL (unset: \`npm start\` runs an embedded one)`)
  const unset = BILLING_SETTINGS.filter((name) => !variables[name])
  if (unset.length && unset.length < BILLING_SETTINGS.length)
    problems.push(`${BILLING_SETTINGS.join(', ')} must be set together (missing: ${unset.join(', ')})`)
  if (!parsed.success || problems.length) throw new SettingsError(`bad setting: ${problems.join('; ')}`)
  const settings = parsed.data
  const publicBaseUrl = settings.PUBLIC_BASE_URL ?? `http://localhost:${settings.PORT}`
  return {
    ...settings,
    ADMIN_EMAILS: settings.ADMIN_EMAILS ?? [],
    ALLOW_PRIVATE_TARGETS: settings.ALLOW_PRIVATE_TARGETS ?? settings.NODE_ENV !== 'production',
    BIDS_REQUIRE_VERIFIED_EMAIL: settings.BIDS_REQUIRE_VERIFIED_EMAIL ?? settings.NODE_ENV === 'production',
    REQUIRE_SECOND_FACTOR: settings.REQUIRE_SECOND_FACTOR ?? settings.NODE_ENV === 'production',
    // Longer than two or three of a balancer's health checks.
    DRAIN_SECONDS: settings.DRAIN_SECONDS ?? (settings.NODE_ENV === 'production' ? 5 : 0),
    BILLING_RETURN_URL: settings.BILLING_RETURN_URL ?? `${publicBaseUrl}/payment`,
    PUBLIC_BASE_URL: publicBaseUrl,
  }
}

/** Settings of a process with a database. The launcher fills in both when they are unset. */
export type ProcessSettings = Settings & { DATABASE_URL: string; APP_SECRET: string }

/** @throws SettingsError in production if PUBLIC_BASE_URL, or its default, is `http:` and ALLOW_HTTP is not `true` */
export function requireHttps({ NODE_ENV, PUBLIC_BASE_URL, ALLOW_HTTP }: Settings): void {
  if (NODE_ENV === 'production' && !ALLOW_HTTP && !PUBLIC_BASE_URL.startsWith('https:'))
    throw new SettingsError(
      `bad setting: PUBLIC_BASE_URL must be an https address in production, because over http cookies lose Secure: ` +
        'set it to the address people use (or ALLOW_HTTP=true for a trial without https)',
    )
}

/** @throws SettingsError if DATABASE_URL or APP_SECRET is unset, and where `requireHttps` throws */
export function requireProcessSettings(settings: Settings): ProcessSettings {
  const { DATABASE_URL, APP_SECRET } = settings
  requireHttps(settings)
  if (!DATABASE_URL) throw new SettingsError('bad setting: DATABASE_URL is needed (`npm start` runs an embedded one)')
  if (!APP_SECRET) throw new SettingsError('bad setting: APP_SECRET is needed (`npm start` generates one)')
  return { ...settings, DATABASE_URL, APP_SECRET }
}
