// Every form of the login, the account and an owner's server: errors at their fields, in the visitor's language, and
// nothing that was typed is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TEXTS } from '../../../src/features/site/texts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { addAccount, createVisitor } from '../accounts/support.ts'
import { addServer } from '../votes/support.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi()
const { pool } = api.database
const owner = await addPerson(pool)
const { get, post } = formsOf(api.url)

const server = await addServer(pool, { ownerId: owner.id })
await api.directory.refresh()
const mine = `/my/servers/${server}`
const LONG = 'x'.repeat(2001)
const found = JSON.stringify({
  ...{ ipAddress: '127.0.0.9', gamePort: 27_015, queryPort: 27_015, game: 'rust', gameName: 'Rust' },
  ...{ connectAddress: '127.0.0.9:27015', hasPassword: null, listedId: null, result: { outcome: 'silent' } },
})
const endpoint =
  (await post(`${mine}/endpoints`, { kind: 'votifier2', host: '127.0.0.1', token: 'x' }, owner)).location ?? ''
const auction = await addAuction(pool, { startingBid: 500 })

type Form = Record<string, string>
/** The fields that are wrong. */
type Wrong = string[]
const stranger = undefined
const CHECKBOXES = new Set(['events', 'scopes'])
/** What no form can cause, or what is a page of its own. */
const NO_REFUSALS = [
  'validation_failed',
  'malformed_json',
  'malformed_request',
  'not_found',
  'internal',
  'unsupported_media_type',
  'invalid_api_key',
  'confirmation_needed',
  'second_factor_required',
]
interface Document {
  paths: Record<string, Record<string, { 'x-errors'?: Record<string, string[]> }>>
}
const SECRET = /password|token/i
const CASES: [what: string, path: string, who: typeof owner | undefined, form: Form, wrong: Wrong][] = [
  ['login', '/login', stranger, { email: 'no address', password: '' }, ['email']],
  [
    ...(['registration', '/register', stranger, { username: 'B', email: 'no address', password: 'short' }] as const),
    ['username', 'email', 'password'],
  ],
  [
    'too easy a password',
    '/register',
    stranger,
    { username: 'Bea', email: 'b@example.com', password: 'password1' },
    ['password'],
  ],
  ['profile', '/account', owner, { action: 'profile', username: 'B', avatarUrl: 'ftp://b' }, ['username', 'avatarUrl']],
  [
    'new password',
    '/account',
    owner,
    { action: 'password', currentPassword: '', newPassword: 'short' },
    ['newPassword'],
  ],
  ['deletion without a tick', '/account', owner, { action: 'delete', password: '' }, ['confirmed']],
  ['API key', '/account/keys', owner, { action: 'create', name: '', scopes: 'read' }, ['name']],
  ['API key that may do nothing', '/account/keys', owner, { action: 'create', name: 'Bot' }, ['scopes']],
  ['chat webhook', '/account/notifications', owner, { action: 'webhook', url: 'ftp://no' }, ['url']],
  [
    'address of a new server',
    '/my/servers/new',
    owner,
    { action: 'find', address: 'https://example.org' },
    ['address'],
  ],
  [
    ...(['game of a new server', '/my/servers/new', owner] as const),
    { action: 'find', address: '127.0.0.9:27015', found, game: 'no such game', queryPort: '27015' },
    ['game'],
  ],
  [
    ...(['query port of a new server', '/my/servers/new', owner] as const),
    { action: 'find', address: '127.0.0.9:27015', found, game: 'Rust', queryPort: '70000' },
    ['queryPort'],
  ],
  [
    ...(['name of a new server', '/my/servers/new', owner] as const),
    { action: 'create', found, name: 'B', description: LONG, tags: 'x'.repeat(200) },
    ['name', 'description', 'tags'],
  ],
  [
    ...(['listing', `${mine}/edit`, owner] as const),
    {
      ...{ action: 'edit', name: 'B', nameFromServer: 'false', description: LONG, ipAddress: 'a b', gamePort: '0' },
      ...{ queryPort: 'x', region: 'x'.repeat(51), tags: 'x'.repeat(200), rates: 'many', mods: LONG },
      ...{ website: 'ftp://x', chatUrl: 'chat', bannerUrl: 'javascript:alert(1)' },
    },
    [
      'name',
      'description',
      'ipAddress',
      'gamePort',
      'queryPort',
      'region',
      'tags',
      'rates',
      'mods',
      'website',
      'chatUrl',
      'bannerUrl',
    ],
  ],
  ['webhook', `${mine}/endpoints`, owner, { kind: 'standard', url: 'ftp://x' }, ['url', 'events']],
  [
    'Votifier 2',
    `${mine}/endpoints`,
    owner,
    { kind: 'votifier2', host: 'a b', port: 'x', token: '' },
    ['host', 'port', 'token'],
  ],
  [
    ...(['Votifier 1', `${mine}/endpoints`, owner] as const),
    { kind: 'votifier1', host: '', port: '70000', publicKey: 'no key' },
    ['host', 'port', 'publicKey'],
  ],
  [
    'Discord',
    `${mine}/endpoints`,
    owner,
    { kind: 'discord', url: 'https://example.org/', events: 'vote.created' },
    ['url'],
  ],
  ['Discord status', `${mine}/endpoints`, owner, { kind: 'discord-status', url: 'https://example.org/' }, ['url']],
  [
    'changed endpoint',
    endpoint,
    owner,
    { action: 'edit', kind: 'votifier2', host: 'a b', port: '0', token: '' },
    ['host', 'port'],
  ],
  ['console access', `${mine}/rcon`, owner, { action: 'configure', port: '70000', password: '' }, ['port', 'password']],
  ['rewards', `${mine}/rewards`, owner, { action: 'set', when: 'claim', commands: ' ' }, ['commands']],
  [
    'rewards of a long command',
    `${mine}/rewards`,
    owner,
    { action: 'set', when: 'claim', commands: LONG },
    ['commands'],
  ],
  ['wipe', `${mine}/wipes`, owner, { action: 'add', kind: 'map', wipedAt: '', note: 'x'.repeat(501) }, ['note']],
  [
    'wipe to come',
    `${mine}/wipes`,
    owner,
    { action: 'add', kind: 'map', wipedAt: '2999-01-01T00:00', note: 'New map' },
    ['wipedAt'],
  ],
  [
    ...(['weekly wipes', `${mine}/wipes`, owner] as const),
    { action: 'schedule', weekday: 'monday', time: 'noon', timeZone: 'Mars/Base', at: '' },
    ['time', 'timeZone'],
  ],
  [
    ...(['weekly wipes in a zone that only Node knows', `${mine}/wipes`, owner] as const),
    { action: 'schedule', weekday: 'monday', time: '12:00', timeZone: 'US/Pacific-New', at: '' },
    ['timeZone'],
  ],
  [
    'one wipe',
    `${mine}/wipes`,
    owner,
    { action: 'schedule', weekday: 'once', time: '', timeZone: 'UTC', at: '' },
    ['at'],
  ],
  ['invitation', `${mine}/team`, owner, { action: 'invite', username: 'nemo', offered: 'manager' }, ['username']],
  [
    'invitation by mail',
    `${mine}/team`,
    owner,
    { action: 'invite', username: 'a@b', offered: 'manager' },
    ['username'],
  ],
  ['bid', `/auctions/${auction}`, owner, { action: 'bid', amount: 'much', serverId: server }, ['amount']],
  ['bid below the lowest', `/auctions/${auction}`, owner, { action: 'bid', amount: '1', serverId: server }, ['amount']],
  [
    'vote',
    `/servers/${server}`,
    stranger,
    { action: 'vote', username: 'x'.repeat(51), gamePlatformId: 'x'.repeat(101) },
    ['username', 'gamePlatformId'],
  ],
  [
    'report',
    `/servers/${server}`,
    owner,
    { action: 'report', reason: 'other', details: 'x'.repeat(1001) },
    ['details'],
  ],
]

const decoded = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const attribute = (tag: string, name: string) => decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** The form of a page that was sent. */
function formIn(html: string, sent: Form): string {
  const isThis = (form: string) =>
    ['action', 'kind'].every((name) => {
      const hidden = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(form)?.[1]
      return hidden === undefined || hidden === sent[name]
    }) && Object.keys(sent).every((name) => form.includes(`name="${name}"`))
  return html.match(/<form[\s\S]*?<\/form>/g)?.find(isThis) ?? ''
}

/** What is said at a field, of which assistive technology knows too. */
function problemAt(form: string, name: string): string {
  const control =
    form
      .match(/<(input|textarea|select|fieldset)[^>]*>/g)
      ?.find((tag) => attribute(tag, 'aria-describedby').includes(`${name}-problem`)) ?? ''
  const id = attribute(control, 'aria-describedby')
    .split(' ')
    .find((one) => one.endsWith(`${name}-problem`))
  return id ? (new RegExp(`<p class="problem" id="${id}">(.*?)</p>`).exec(form)?.[1] ?? '') : ''
}

/** What a field has now. */
function valueIn(form: string, name: string): string {
  const tags = form.match(/<(input|textarea|select)[^>]*>/g)?.filter((tag) => attribute(tag, 'name') === name) ?? []
  const [tag = ''] = tags
  if (tag.includes('type="checkbox"'))
    return tags
      .filter((one) => / checked/.test(one))
      .map((one) => attribute(one, 'value'))
      .join(',')
  const after = form.slice(form.indexOf(tag) + tag.length)
  if (tag.startsWith('<textarea')) return decoded(after.slice(0, after.indexOf('</textarea>')))
  if (tag.startsWith('<select'))
    return attribute(
      after.slice(0, after.indexOf('</select>')).match(/<option[^>]* selected[^>]*>/)?.[0] ?? '',
      'value',
    )
  return attribute(tag, 'value')
}

it.each(CASES)('%s', async (_, path, who, sent, wrong) => {
  for (const language of ['en', 'de'] as const) {
    const { forms } = TEXTS[language]
    const { status, html } = await post(path, sent, who, { 'accept-language': language })
    expect(status).toBe(400)
    const form = formIn(html, sent)
    for (const name of wrong) {
      const problem = problemAt(form, name)
      expect(problem, `${language} ${name}`).toMatch(/\S{3}/)
      // Neither another language nor the API's names.
      expect(problem).not.toMatch(/lang="en"|\bbody\b|\w\.\w+:|\b1 (characters|Zeichen)/)
      expect(problem).not.toContain(forms.problems.other)
    }
    // Above the form, each problem has its field's label.
    const [, summary = ''] = /<p class="notice is-bad" role="alert">(.*?)<\/p>/.exec(html) ?? []
    const atFields = [...form.matchAll(/<p class="problem"[^>]*>(.*?)<\/p>/g)].map(([, problem]) => problem)
    for (const named of summary.split(`${forms.check} `)[1]?.split(/(?<=\.) (?=\p{Lu})/u) ?? [])
      expect(atFields, `${language} ${named}`).toContain(named.replace(/\.$/, ''))
    expect(summary + form).not.toMatch(/\?[.:]/)
    const marked = (form.match(/aria-invalid="true"/g) ?? []).length
    expect(marked, 'no other field is marked').toBe(wrong.filter((name) => !CHECKBOXES.has(name)).length)
    for (const [name, value] of Object.entries(sent))
      expect([name, valueIn(form, name)]).toEqual([name, SECRET.test(name) ? '' : value])
  }
})

const other = await addPerson(pool)
await pool.query(`update users set username = 'Otter' where id = $1`, [other.id])
await pool.query(`update users set username = 'Owner' where id = $1`, [owner.id])
await pool.query(`insert into server_members (server_id, owner_id, user_id, role) values ($1, $2, $3, 'viewer')`, [
  server,
  owner.id,
  other.id,
])

it.each<
  [
    code: keyof typeof TEXTS.en.accountCodes,
    path: string,
    who: typeof stranger | typeof owner,
    sent: Form,
    field: string,
  ]
>([
  [
    ...(['email_taken', '/register', stranger] as const),
    { username: 'Bea', email: `${owner.id}@example.com`, password: 'correct horse battery' },
    'email',
  ],
  ['already_member', `${mine}/team`, owner, { action: 'invite', username: 'Otter', offered: 'viewer' }, 'username'],
])('%s is said at the field that it is about', async (code, path, who, sent, field) => {
  for (const language of ['en', 'de'] as const) {
    const { status, html } = await post(path, sent, who, { 'accept-language': language })
    expect(status).toBe(400)
    const text = TEXTS[language].accountCodes[code]
    expect(problemAt(formIn(html, sent), field)).toBe(text)
    expect(html.split(text)).toHaveLength(3) // above the form too
  }
})

it.each([
  [{ action: 'password', currentPassword: 'not this one', newPassword: 'correct horse battery' }, 'currentPassword'],
  [{ action: 'delete', password: 'not this one', confirmed: 'yes' }, 'password'],
])('a wrong password is said at its field, and not to be of an address: %o', async (sent, field) => {
  const { email } = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(email)
  for (const language of ['en', 'de'] as const) {
    const who = { cookie: visitor.cookieHeader() ?? '' }
    const { status, html } = await post('/account', sent, who, { 'accept-language': language })
    expect(status).toBe(401)
    const { wrongPassword } = TEXTS[language].account.profile
    expect(problemAt(formIn(html, sent), field)).toBe(wrongPassword)
    expect(html.replaceAll(/<script.*?<\/script>/gs, '')).not.toContain(
      TEXTS[language].accountCodes.invalid_credentials,
    )
  }
})

it('has German words for each refusal of an operation that a page of players and owners uses', async () => {
  const pages = new URL('../../../src/features/site/pages/', import.meta.url)
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as Document
  const { accountCodes, forms } = TEXTS.de
  const texts = { ...accountCodes, ...forms.codes, ...forms.otherCodes }
  const known = new Set([...Object.keys(texts), ...NO_REFUSALS])
  const missing = new Set<string>()
  let operations = 0
  for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('admin')) continue
    const source = readFileSync(new URL(file, pages), 'utf8')
    for (const [, method = '', path = ''] of source.matchAll(/api\.(post|put|patch|delete)\(\s*'([^']+)'/g)) {
      operations++
      const { 'x-errors': errors = {} } = document.paths[path]?.[method] ?? {}
      for (const code of Object.values(errors).flat()) if (!known.has(code)) missing.add(`${code} (${method} ${path})`)
    }
  }
  expect(operations).toBeGreaterThan(50)
  expect([...missing]).toEqual([])
})

it('tells a visitor whose claim the owner has stopped when to claim again', async () => {
  await pool.query(
    `insert into server_claims (id, server_id, user_id, token, expires_at, stopped_until)
     values (uuidv7(), $1, $2, 'stopped', now(), now() + interval '30 days')`,
    [server, other.id],
  )
  for (const [language, sentence] of [
    ['en', 'You can claim this server again 30 days after that.'],
    ['de', '30 Tage danach kannst du ihn wieder beanspruchen.'],
  ] as const) {
    const { status, html } = await post(`${mine}/claim`, { action: 'claim' }, other, { 'accept-language': language })
    expect([status, html.includes(sentence)]).toEqual([400, true])
  }
})

it('says in the card of wipes that was saved that it is', async () => {
  for (const [saved, title] of [
    ['schedule', 'Next wipe'],
    ['add', 'Add a wipe'],
    ['remove', 'Wipes'],
  ]) {
    const { html } = await get(`${mine}/wipes?saved=${saved}`, owner)
    const cards = html.split('<section').filter((card) => card.includes('>Saved.<'))
    expect([cards.length, /<h2>(.*?)<\/h2>/.exec(cards[0] ?? '')?.[1]]).toEqual([1, title])
  }
})
