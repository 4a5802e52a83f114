// Login through the game platform, and attacks on it (OpenID 2.0 §11, §15).
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { type Browser, createBrowser } from '../../support/browser.ts'
import { nonceOf, startFakeGamePlatform } from '../../support/fake-game-platform.ts'
import {
  begin,
  comeBack,
  failed,
  failureOf,
  isLoggedIn,
  logIn,
  PUBLIC_BASE_URL,
  profileOf,
} from './provider-support.ts'

const platform = await startFakeGamePlatform()
const settings = { PUBLIC_BASE_URL, STEAM_OPENID_BASE_URL: platform.baseUrl }
const api = await startTestApi({ settings })
const other = await startTestApi({ database: api.database, settings })
const { pool } = api.database

let people = 0
function newPerson(): void {
  platform.steamId = `765611980000${String(++people).padStart(5, '0')}`
}

type Fields = Map<string, string>

/** Logs in with an altered, signed answer. @returns the error */
async function withAnswer(change: (fields: Fields) => void, alter: (url: URL) => void = () => {}): Promise<unknown[]> {
  newPerson()
  const browser = createBrowser(api)
  const back = new URL(await platform.allow(await begin(browser, 'gameplatform'), change))
  alter(back)
  return refusalOf(browser, back.href)
}

async function refusalOf(browser: Browser, back: string): Promise<unknown[]> {
  const response = await browser.go(back)
  if (response.status === 302) throw new Error('was let in')
  expect(await isLoggedIn(browser)).toBe(false)
  return failureOf(response)
}

test('a newcomer gets an account, and the same account later', async () => {
  newPerson()
  const browser = createBrowser(api)
  await logIn(browser, platform)
  const profile = await profileOf(browser)
  expect(profile).toMatchObject({
    username: `Player ${platform.steamId.slice(-4)}`,
    email: '',
    gamePlatformId: platform.steamId,
    chatId: '',
  })
  const elsewhere = createBrowser(other)
  await logIn(elsewhere, platform)
  expect((await profileOf(elsewhere)).id).toBe(profile.id)
})

test('the platform verifies each answer with every signed field', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = new URL(await comeBack(browser, platform))
  const before = platform.asked.length
  expect((await browser.go(back.href)).status).toBe(302)
  expect(platform.asked.length).toBe(before + 1)
  const sent = Object.fromEntries(platform.asked.at(-1) ?? [])
  const came = Object.fromEntries([...back.searchParams].filter(([name]) => name.startsWith('openid.')))
  expect(sent).toEqual({ ...came, 'openid.mode': 'check_authentication' })
})

test('an answer from another endpoint is refused, and that endpoint gets no request', async () => {
  const foreign = await startFakeGamePlatform()
  foreign.trouble = 'always-valid'
  for (const endpoint of [
    `${foreign.origin}/openid/login`,
    `${platform.baseUrl}/login/`,
    `${platform.baseUrl}/login?x`,
    platform.baseUrl,
    `${platform.baseUrl.replace('http:', 'https:')}/login`,
  ])
    expect(await withAnswer((fields) => fields.set('op_endpoint', endpoint))).toEqual(failed('foreign_endpoint'))
  expect(foreign.asked).toEqual([])
})

test('an identity that only resembles the platform’s is refused', async () => {
  const real = '76561198000000042'
  const lookAlikes = [
    `https://evil.example/openid/id/${real}`,
    `${platform.baseUrl}.evil.example/id/${real}`,
    `${platform.baseUrl.replace('//', '//steam@')}/id/${real}`,
    `${platform.baseUrl}/id/../id/${real}`,
    `${platform.baseUrl}/id/${real}/`,
    `${platform.baseUrl}/id/${real}?x`,
    `${platform.baseUrl}/id/${real}#x`,
    `${platform.baseUrl}/id/${real}\n`,
    `${platform.baseUrl}/id/ ${real}`,
    `${platform.baseUrl}/id/${real}1`,
    `${platform.baseUrl}/id/12345`,
    `${platform.baseUrl}/id/７６５６１１９８０００００００４２`,
    `${platform.baseUrl}/ID/${real}`,
    `${platform.baseUrl}/profiles/${real}`,
    'http://specs.openid.net/auth/2.0/identifier_select',
  ]
  platform.trouble = 'always-valid'
  for (const identity of lookAlikes)
    expect(
      await withAnswer((fields) => fields.set('claimed_id', identity).set('identity', identity)),
      identity,
    ).toEqual(failed('bad_identity'))
  const another = `${platform.baseUrl}/id/76561198000000043`
  expect(await withAnswer((fields) => fields.set('identity', another))).toEqual(failed('bad_identity'))
  expect(await withAnswer((fields) => fields.set('claimed_id', another))).toEqual(failed('bad_identity'))
  platform.trouble = 'none'
})

test('each required field has to be present and signed', async () => {
  platform.trouble = 'always-valid'
  for (const field of ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle']) {
    const unsign = (fields: Fields) => {
      const signed = (fields.get('signed') ?? '').split(',').filter((name) => name !== field)
      fields.set('signed', signed.join(','))
    }
    expect(await withAnswer(unsign), field).toEqual(failed('not_signed'))
    expect(await withAnswer((fields) => fields.delete(field)), field).toEqual(failed('not_signed'))
    expect(await withAnswer((fields) => fields.set(field, '')), field).toEqual(failed('not_signed'))
  }
  for (const signed of [
    '',
    ',',
    'claimed_id',
    'signed,op_endpoint, claimed_id,identity,return_to,response_nonce,assoc_handle',
  ])
    expect(await withAnswer((fields) => fields.set('signed', signed)), signed).toEqual(failed('not_signed'))
  platform.trouble = 'none'
})

test('any repeated parameter is refused', async () => {
  platform.trouble = 'always-valid'
  const victim = `${platform.baseUrl}/id/76561198000000001`
  for (const [name, value] of [
    ['openid.claimed_id', victim],
    ['openid.identity', victim],
    ['openid.signed', 'claimed_id'],
    ['openid.op_endpoint', `${platform.baseUrl}/login`],
    ['openid.mode', 'id_res'],
    ['openid.extension', 'x'],
    ['anything', 'x'],
  ] as const) {
    const twice = (url: URL) => {
      url.searchParams.append(name, value)
      if (url.searchParams.getAll(name).length === 1) url.searchParams.append(name, value)
    }
    expect(await withAnswer(() => {}, twice), name).toEqual(failed('duplicate_parameter'))
  }
  const first = await withAnswer(
    () => {},
    (url) => {
      url.search = `?openid.claimed_id=${encodeURIComponent(victim)}&${url.search.slice(1)}`
    },
  )
  expect(first).toEqual(failed('duplicate_parameter'))
  const encoded = await withAnswer(
    () => {},
    (url) => {
      url.search += `&openid%2Eclaimed_id=${encodeURIComponent(victim)}`
    },
  )
  expect(encoded).toEqual(failed('duplicate_parameter'))
  platform.trouble = 'none'
})

test('an answer for another return address is refused', async () => {
  platform.trouble = 'always-valid'
  for (const to of [
    'https://evil.example/api/auth/gameplatform/callback',
    `${PUBLIC_BASE_URL}/api/auth/gameplatform/callback`,
    `${PUBLIC_BASE_URL}/api/auth/gameplatform/callback?state=${'x'.repeat(43)}`,
    `${PUBLIC_BASE_URL}.evil.example/api/auth/gameplatform/callback`,
  ])
    expect(await withAnswer((fields) => fields.set('return_to', to)), to).toEqual(failed('bad_return'))
  expect(await withAnswer((fields) => fields.set('return_to', `${fields.get('return_to')}&x=1`))).toEqual(
    failed('bad_return'),
  )
  platform.trouble = 'none'
})

test('an answer of one flow does not complete another, with either state', async () => {
  newPerson()
  const attackers = new URL(await comeBack(createBrowser(api), platform))
  const victim = createBrowser(api)
  const own = new URL(await comeBack(victim, platform))
  expect(await refusalOf(victim, attackers.href)).toEqual(failed('bad_state'))
  attackers.searchParams.set('state', own.searchParams.get('state') ?? '')
  expect(await refusalOf(victim, attackers.href)).toEqual(failed('bad_return'))
})

test('an answer without the cookie of the requesting browser is refused', async () => {
  newPerson()
  const back = await comeBack(createBrowser(api), platform)
  expect(await refusalOf(createBrowser(api), back)).toEqual(failed('no_flow'))
})

test('a missing or wrong state is refused', async () => {
  for (const state of ['', 'x'.repeat(43)])
    expect(
      await withAnswer(
        () => {},
        (url) => url.searchParams.set('state', state),
      ),
    ).toEqual(failed('bad_state'))
  expect(
    await withAnswer(
      () => {},
      (url) => url.searchParams.delete('state'),
    ),
  ).toEqual(failed('bad_state'))
})

test('an old, premature or malformed nonce is refused', async () => {
  platform.trouble = 'always-valid'
  const minute = 60_000
  for (const nonce of [
    nonceOf(Date.now() - 6 * minute),
    nonceOf(Date.now() + 6 * minute),
    nonceOf(0),
    'x',
    '2026-13-40T25:61:61Zabc',
    new Date().toISOString(),
    `${nonceOf(Date.now())} x`,
    `${nonceOf(Date.now())}${'x'.repeat(300)}`,
  ])
    expect(await withAnswer((fields) => fields.set('response_nonce', nonce)), nonce).toEqual(failed('expired'))
  platform.trouble = 'none'
})

test('a nonce is used once, also in another flow and another process', async () => {
  platform.trouble = 'always-valid'
  newPerson()
  const nonce = nonceOf(Date.now())
  const withNonce = (fields: Fields) => void fields.set('response_nonce', nonce)
  const first = createBrowser(api)
  expect((await first.go(await platform.allow(await begin(first, 'gameplatform'), withNonce))).status).toBe(302)
  for (const to of [api, other]) {
    const again = createBrowser(to)
    const back = await platform.allow(await begin(again, 'gameplatform'), withNonce)
    expect(await refusalOf(again, back)).toEqual(failed('used'))
  }
  const { rows } = await pool.query(
    "select expires_at > now() + interval '5 minutes' as kept from used_nonces where nonce like $1",
    [`%${nonce}`],
  )
  expect(rows).toEqual([{ kept: true }])
  platform.trouble = 'none'
})

test('an answer is used once, even with the cookie kept', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, platform)
  const cookie = browser.cookies.get('gameplatform_flow') ?? ''
  expect((await browser.go(back)).status).toBe(302)
  const keeper = createBrowser(other)
  keeper.cookies.set('gameplatform_flow', cookie)
  expect(await refusalOf(keeper, back)).toEqual(failed('used'))
})

test('an answer altered in transit is refused: the platform denies it', async () => {
  newPerson()
  const victim = `${platform.baseUrl}/id/76561198000000001`
  for (const alter of [
    (url: URL) => {
      url.searchParams.set('openid.claimed_id', victim)
      url.searchParams.set('openid.identity', victim)
    },
    (url: URL) => url.searchParams.set('openid.sig', 'AAAA'),
    (url: URL) => url.searchParams.delete('openid.sig'),
    (url: URL) => url.searchParams.set('openid.response_nonce', nonceOf(Date.now())),
    (url: URL) => url.searchParams.set('openid.signed', `${url.searchParams.get('openid.signed')},mode`),
  ])
    expect(await withAnswer(() => {}, alter)).toEqual(failed('not_valid'))
})

test('only a plain is_valid:true is accepted', async () => {
  for (const trouble of ['always-invalid', 'garbage', 'two-verdicts'] as const) {
    platform.trouble = trouble
    expect(await withAnswer(() => {}), trouble).toEqual(failed('not_valid'))
  }
  platform.trouble = 'none'
})

test('a platform that is down, redirects or answers without end is 503', async () => {
  for (const trouble of ['down', 'redirect', 'endless'] as const) {
    platform.trouble = trouble
    expect((await withAnswer(() => {})).slice(0, 2), trouble).toEqual([503, 'unavailable'])
  }
  platform.trouble = 'none'
})

test('other modes are no login', async () => {
  platform.trouble = 'always-valid'
  expect(await withAnswer((fields) => fields.set('mode', 'cancel'))).toEqual(failed('cancelled'))
  for (const mode of ['setup_needed', 'error', 'check_authentication', 'checkid_setup', ''])
    expect(await withAnswer((fields) => fields.set('mode', mode)), mode).toEqual(failed('bad_answer'))
  expect(await withAnswer((fields) => fields.set('ns', 'http://openid.net/signon/1.1'))).toEqual(failed('bad_answer'))
  expect(await withAnswer((fields) => fields.delete('ns'))).toEqual(failed('bad_answer'))
  platform.trouble = 'none'
})
