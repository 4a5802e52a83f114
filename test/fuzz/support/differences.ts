// Where validation may differ from the document, each with its reason: rules that JSON Schema can't express.
import { normalizeEmail } from '../../../src/platform/email-address.ts'
import { splitList } from '../../../src/platform/text.ts'
import { isGiven, type Sent } from './exchange.ts'

interface Difference {
  operations: RegExp
  /** Path and message of the refusal, `body.name: must …`. */
  says: RegExp
  /** Values that the rule applies to, if that can be decided. */
  when?: (given: string) => boolean
  reason: string
}

const ANY = /./
const stored = (text: string) => text.normalize('NFC').trim()
const lengthOf = (text: string) => [...text].length

/** Valid values that are refused with 400 `validation_failed` for their meaning. */
export const MEANINGS: Difference[] = [
  {
    operations: ANY,
    says: /^body: must not contain the character U\+0000$/,
    reason: 'no text of PostgreSQL can hold it, in whatever field, known or not',
  },
  {
    operations: ANY,
    says: /^body: must not be nested deeper than 50 levels$/,
    reason: 'JSON Schema can’t bound the depth of fields that no schema describes',
  },
  {
    operations: ANY,
    says: /^body: must not have more than 2000 values$/,
    reason: 'JSON Schema can’t bound the number of values of a body, fields that no schema describes included',
  },
  {
    operations: ANY,
    says: /: must not contain control, bidirectional or zero-width characters$/,
    reason: 'patterns give the invisible characters of four hexadecimal digits: not every dialect has longer ones',
  },
  {
    operations: ANY,
    says: /: must be an? (ISO 8601 |timestamp )/,
    when: (given) => /:60(\.|Z|[+-])/i.test(given),
    reason: 'RFC 3339 has leap seconds, dates in JavaScript do not',
  },
  {
    operations: ANY,
    says: /: must have at least \d+ characters$/,
    when: (given) => lengthOf(stored(given)) < lengthOf(given),
    reason: 'counted once trimmed and composed',
  },
  {
    operations: ANY,
    says: /: must have at most \d+ characters$/,
    when: (given) => lengthOf(stored(given)) > lengthOf(given),
    reason: 'counted once composed: of a few characters Unicode makes several',
  },
  {
    operations: /^(POST \/(servers(\/probe)?|announce)|PATCH \/servers\/\{id\})$/,
    says: /^body\.(ipAddress|bedrockAddress): must be an IPv4 or IPv6 address or a DNS name$/,
    reason: 'both have many spellings, of which a pattern gives the characters',
  },
  {
    operations: /^(POST \/(servers(\/probe)?|announce)|PATCH \/servers\/\{id\})$/,
    says: /^body\.(bedrockAddress: can be given only for|bedrockPort: must be given together with|gamePort: is required, because|name: is taken from)/,
    reason: 'depends on another field of the request or of the listing',
  },
  {
    operations: /^(POST \/(servers(\/probe)?|announce)|PATCH \/servers\/\{id\})$/,
    says: /^body\.game: must be a gamedig type id/,
    reason: 'a pattern says how it is written; the list has some 340 names and grows',
  },
  {
    operations: /^POST \/servers\/recognize$/,
    says: /^body\.(address: must (be|have|not)|game: must be a gamedig type id)/,
    reason: 'what people paste has many forms, which are read by rules',
  },
  {
    operations: /^POST \/luanti\/announce$/,
    says: /^body\.address: must be an IPv4 or IPv6 address or a DNS name$/,
    reason: 'has many spellings; empty stands for the sender’s',
  },
  {
    operations: /^POST \/servers\/\{id\}\/members$/,
    says: /^body\.(email: is your own|username: is (no account’s name|your own|the name of several accounts))/,
    reason: 'depends on the accounts',
  },
  {
    operations: /^(POST|PATCH) \/servers\/\{id\}\/members/,
    says: /^body\.mayUseRcon: can only be allowed to a manager$/,
    reason: 'depends on another field of the request',
  },
  {
    operations: /faces\/\{kind\}/,
    says: /^kind: must be logo, banner or icon$/,
    reason: 'requests are compared with the document by their queries and bodies, not by their paths',
  },
  {
    operations: /^POST \/admin\/discovery\/blocks$/,
    says: /^body\.(network: (must be an IP address or a network|is required without)|host: must be an IPv4|port: must be given together|game: must be a gamedig type id)/,
    reason: 'both have many spellings, and one condition is needed',
  },
  {
    operations: /^GET \/(servers(\/facets)?|standings)$/,
    says: /^game: must be a(nother type| gamedig type id)/,
    reason: 'a pattern says how they are written; the list has some 340 names and grows',
  },
  {
    operations: /^GET \/servers(\/facets)?$/,
    says: /^country: must be country codes/,
    reason: 'a pattern says how they are written; ISO 3166-1 has 249 codes',
  },
  {
    operations: /^(POST \/servers|PATCH \/servers\/\{id\})$/,
    says: /^body\.tags[.\d]*: must have at most (10 tags|30 characters)$/,
    reason: 'a list in a text',
  },
  {
    operations: /^(POST \/servers|PATCH \/servers\/\{id\}|PATCH \/(user\/profile|admin\/appearance))$/,
    says: /^body\.(website|chatUrl|bannerUrl|avatarUrl|imprintUrl|privacyUrl): must be an http or https URL$/,
    reason: 'what a web address is, a parser decides',
  },
  {
    operations: /^PATCH \/servers\/\{id\}$/,
    says: /^body\.wipeSchedule(\.timeZone|\.at)?: must (be (a weekday with a time|a time zone as|in the next)|not be before)/,
    reason: 'a matter of the clock, and of a list of time zones',
  },
  {
    operations: /^PATCH \/servers\/\{id\}$/,
    says: /^body\.rates: must (be comma-separated pairs|name each rate only once|have at most)/,
    reason: 'a list in a text',
  },
  {
    operations: /^(PUT .*webhook|POST .*endpoints|PATCH .*endpoints.*)$/,
    says: /^body\.url: must (be an https? |be a public address|be the URL of a Discord webhook|have no |have at most 2048 characters)/,
    reason: 'what a web address is, a parser decides; which are inside, or Discord’s, a list',
  },
  {
    operations: /^(GET \/admin\/votes\/preview|POST \/admin\/votes\/void)$/,
    says: /^(body\.)?serverId: give at least one criterion$/,
    reason: 'each criterion is optional in the document',
  },
  {
    operations: /^POST \/(auth\/second-step|user\/second-factor\/confirm)$/,
    says: /^body: must have one of code, recoveryCode and passkey$/,
    reason: 'the fields of which one is given are optional in the document',
  },
  {
    operations: /(vote\/reminder|push-browsers)$/,
    says: /^body\.push\.endpoint: must (be an http or https URL|be of a push service that browsers use|have no |have at most 2048 characters)/,
    reason: 'what a web address is, a parser decides; which are of push services, a list',
  },
  {
    operations: /(vote\/reminder|push-browsers)$/,
    says: /^body\.push\.keys\.p256dh: must be a point of the curve P-256$/,
    reason: 'whether numbers are a point, no pattern says',
  },
  {
    operations: /^(POST|PATCH) .*endpoints/,
    says: /^body\.host: must be a (host name or an IP address|public address)$/,
    reason: 'both have many spellings; which are inside, a list',
  },
  {
    operations: /^(POST|PATCH) .*servers/,
    says: /^body\.(ipAddress|bedrockAddress): must be a public address$/,
    reason: 'which are inside, a list',
  },
  {
    operations: /^(POST|PATCH) .*endpoints/,
    says: /^body\.publicKey: must be (the text of the plugin’s public\.key|an RSA key)/,
    reason: 'what a key is, a parser decides',
  },
  {
    operations: /^PATCH .*endpoints/,
    says: /^body\.\w+: is not a field of an endpoint of the kind [\w-]+$/,
    reason: 'a matter of what there is',
  },
  {
    operations: /(votes|^GET \/servers)$/,
    says: /^cursor: must be (a nextCursor of this endpoint|used with the filters and the order of the request that answered it)$/,
    reason: 'only what was given out is one',
  },
  { operations: /stream$/, says: /^ids: must name at most 100 servers$/, reason: 'a list in a text' },
  { operations: /compare$/, says: /^with: must (name|not name) /, reason: 'a list in a text' },
  {
    operations: /^POST \/(auth|contact)/,
    says: /^body\.email: must be an e-mail address$/,
    reason: 'international domains included, no pattern says it',
  },
  {
    operations: /^POST \/(auth|user)/,
    says: /^body\.(password|newPassword): (is too common: attackers try it first|must not consist of your name or e-mail address)$/,
    reason: 'a matter of lists, and of the account',
  },
  {
    operations: /^(POST \/(auth|user)|DELETE \/user$)/,
    says: /assword: must be valid Unicode$/,
    reason: 'half of a surrogate pair has no bytes to be hashed',
  },
  {
    operations: /^POST \/servers\/lookup$/,
    says: /^body: must name at most 1000 servers$/,
    reason: 'a rule over two fields',
  },
  {
    operations: /votes\/check$/,
    says: /gamePlatformId: give either gamePlatformId or username$/,
    reason: 'a rule over two parameters, which OpenAPI has no way to say',
  },
  {
    operations: /plugins\/votes$/,
    says: /^(steamid: give either steamid or username|action: give action=status or action=claim, or )/,
    reason: 'rules over several parameters, which OpenAPI has no way to say',
  },
  {
    operations: /^GET \/servers(\/facets)?$/,
    says: /^(minMultiplier: must not be above maxMultiplier|minPlayers: must not be above maxPlayers|seed: is required by sortBy=random|cursor: must not be given together with page)$/,
    reason: 'a rule over two fields',
  },
  { operations: /^GET \/servers$/, says: /^fields: must name only /, reason: 'a list in a text' },
  {
    operations: /wipe-history$/,
    says: /^body\.wipedAt: must (be in the last 10 years|not be in the future)$/,
    reason: 'a matter of the clock',
  },
  {
    operations: /auctions/,
    says: /^body\.endsAt: must (be after startsAt|be in the future|be at most 366 days after startsAt)$/,
    reason: 'a matter of the clock, and a rule over two fields',
  },
  {
    operations: /auctions\/\{id\}/,
    says: /^body\.serverId: must (be a listed server of yours|name the server to feature)$/,
    reason: 'a matter of what there is',
  },
  {
    operations: /^POST \/admin\/auctions$/,
    says: /^body\.slotId: must be an ad slot$/,
    reason: 'a matter of what there is',
  },
  {
    operations: /^PATCH \/admin\/servers/,
    says: /^body\.ownerId: there is no such account$/,
    reason: 'a matter of what there is',
  },
  {
    operations: /(rcon|vote-rewards)$/,
    says: /^body\.(password|command|commands\.\d+): must (be one line without control characters|not be empty)$/,
    when: (given) => given.trim() === '' || !given.isWellFormed(),
    reason: 'spaces alone, or half of a surrogate pair, which no pattern excludes in every dialect',
  },
]

/** Invalid requests that are accepted. */
export const LENIENCIES: { allows: (sent: Sent) => boolean | undefined; reason: string }[] = [
  {
    allows: ({ plan, value }) =>
      /^POST \/(auth|contact)/.test(plan.operation.name) &&
      normalizeEmail(String((value as { email?: unknown }).email)) !== undefined,
    reason: 'international domains: the format `email` has none, and clients know `idn-email` less',
  },
  {
    allows: ({ plan, query, body, value }) =>
      isGiven(plan.operation, allStored(query), body && { value: allStored(value) }),
    reason: 'texts are trimmed and composed before they are counted',
  },
  {
    allows: ({ plan, query, body, value }) => isGiven(plan.operation, allTidy(query), body && { value }),
    reason: 'lists may have spaces and empty parts, and flags be in any case',
  },
]

/** A value with each of its texts normalized as for storage. */
function allStored<T>(value: T): T {
  if (typeof value === 'string') return stored(value) as T
  if (Array.isArray(value)) return value.map(allStored) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, allStored(item)])) as T
}

/** The texts of a query in the spelling that the document gives. */
const allTidy = (query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? tidy(value) : value]),
  )

const tidy = (text: string) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : splitList(text).join(','))

/** Expected answers with 503. */
export const UNAVAILABLE: Difference[] = [
  {
    operations: /^POST \/servers\/\{id\}\/rcon$/,
    says: /^The command could not be sent now, and did not run\.$/,
    reason: 'the only worker of the test was busy with others',
  },
]
