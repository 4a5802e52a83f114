// Voting without scripts: the form of a server's page, and the visitor id in a signed cookie.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { createVisitorCookie } from '../../../src/features/site/visitor-cookie.ts'
import { createCookieJar } from '../../../src/platform/http/cookies.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { insertServer, putVotes } from '../directory/rows-in-database.ts'

let api: TestApi
let id = ''
beforeAll(async () => {
  api = await startTestApi()
  id = await insertServer(api.database.pool, { name: 'My island' })
  await putVotes(api.database.pool, id, 0)
  await api.directory.refresh()
})

const post = (fields: Record<string, string>, headers: Record<string, string> = {}, server = id) =>
  fetch(`${api.url}/servers/${server}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'accept-language': 'en', ...headers },
    redirect: 'manual',
  })
/** The page that a reply leads to, as the visitor with this cookie sees it. */
const resultOf = (reply: Response, cookie = '') =>
  fetch(new URL(reply.headers.get('location') ?? '', api.url), { headers: { 'accept-language': 'en', cookie } })
const cookieOf = (reply: Response) => reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const otherServer = async () => {
  const other = await insertServer(api.database.pool, { name: 'Another island' })
  await putVotes(api.database.pool, other, 0)
  await api.directory.refresh()
  return other
}
const votes = async () =>
  (await api.database.pool.query('select username, game_platform_id, visitor_id from votes')).rows

describe('the form', () => {
  it('votes, sets the cookie, and leads to a page that thanks and says when again, however often it is loaded', async () => {
    const reply = await post({ action: 'vote', username: 'Zoe', gamePlatformId: '76561198000000000' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/servers/${id}?done=voted#vote`])
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^visitor=[\da-f-]{36}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const [, visitorId] = /visitor=([^.]+)/.exec(cookieOf(reply)) ?? []
    expect(await votes()).toEqual([{ username: 'Zoe', game_platform_id: '76561198000000000', visitor_id: visitorId }])
    for (const shown of [await resultOf(reply, cookieOf(reply)), await resultOf(reply, cookieOf(reply))]) {
      expect(shown.headers.get('cache-control')).toBe('private, no-store')
      const page = await shown.text()
      expect(page).toContain('Thank you for your vote.')
      expect(page).toMatch(/Again in (24:00:00|23:59:\d\d)/)
      expect(page).not.toContain('data-vote="true"')
    }
    expect(await votes()).toHaveLength(1)
  })

  it('says after a vote how many days in a row the player has voted', async () => {
    const { pool } = api.database
    const reply = await post({ action: 'vote', username: 'Mia' })
    await pool.query(`update vote_streaks set days = 3 where server_id = $1`, [id])
    expect(await (await resultOf(reply, cookieOf(reply))).text()).toContain('3 days in a row!')
  })

  it('keeps what the address had, and what was typed out of it', async () => {
    const form = { method: 'POST', body: new URLSearchParams({ action: 'vote', username: 'Ada' }) }
    const { headers } = await fetch(`${api.url}/servers/${id}?range=7d&done=report&lang=de`, {
      ...form,
      redirect: 'manual',
    })
    expect(headers.get('location')).toBe(`/servers/${id}?range=7d&done=voted&lang=de#vote`)
  })

  it('the result of a vote is for its visitor only, and until the next vote is possible', async () => {
    const reply = await post({ action: 'vote', username: 'Zoe' })
    const own = cookieOf(reply)
    const shownTo = async (cookie: string) => (await resultOf(reply, cookie)).text()
    const stranger = cookieOf(await post({ action: 'vote' }, {}, await otherServer()))
    expect(await shownTo(own)).toContain('Thank you for your vote.')
    for (const cookie of ['', stranger, own.replace(/\..*/, `.${'A'.repeat(43)}`)]) {
      const page = await shownTo(cookie)
      expect(page).toMatch(/<form[^>]*data-vote/)
      expect(page).not.toContain('>Thank you for your vote')
    }
    await api.database.pool.query(`update vote_cooldowns set last_voted_at = last_voted_at - interval '25 hours'`)
    expect(await shownTo(own)).toMatch(/<form[^>]*data-vote/)
  })

  it('with the cookie votes once in 24 hours, and says when again', async () => {
    const first = await post({ action: 'vote' })
    const again = await post({ action: 'vote', username: 'Zoe' }, { cookie: cookieOf(first) })
    expect(again.status).toBe(429)
    expect(again.headers.getSetCookie()).toEqual([])
    expect(again.headers.get('cache-control')).toBe('private, no-store')
    const page = await again.text()
    expect(page).toContain('You can vote for this server again in')
    expect(page).toMatch(/Again in \d\d:\d\d:\d\d/)
  })

  it('with a forged cookie is a new visitor', async () => {
    const forged = `visitor=${crypto.randomUUID()}.${'A'.repeat(43)}`
    const reply = await post({ action: 'vote' }, { cookie: forged })
    expect(reply.status).toBe(303)
    expect(cookieOf(reply)).not.toBe(forged)
  })

  it.each([
    ['a foreign origin', { origin: 'https://elsewhere.example' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])('of %s is refused', async (_what, headers) => {
    const before = (await votes()).length
    expect((await post({ action: 'vote' }, headers)).status).toBe(403)
    expect(await votes()).toHaveLength(before)
  })

  it('of this origin is accepted', async () => {
    expect((await post({ action: 'vote' }, { origin: 'http://localhost:0' })).status).toBe(303)
  })

  it('shows what the API refuses', async () => {
    const reply = await post({ action: 'vote', username: 'x'.repeat(51) })
    expect(reply.status).toBe(400)
    const page = await reply.text()
    expect(page).toContain('Check the marked fields.')
    expect(page).toMatch(/<input[^>]*name="username"[^>]*aria-describedby="username-problem"[^>]*aria-invalid="true"/)
    expect(page).toMatch(/id="username-problem">Player name: must/)
    expect((await post({ action: 'vote' }, {}, crypto.randomUUID())).status).toBe(404)
    expect((await fetch(`${api.url}/servers/${id}`, { method: 'POST', body: '{}' })).status).toBe(415)
  })

  it('over https sets a cookie that no other site can plant', () => {
    const visitors = createVisitorCookie({ secret: 'a secret', jar: createCookieJar(true) })
    const { setCookie: [, setCookie] = ['', ''], visitorId } = visitors.idOf(undefined)
    expect(setCookie).toMatch(/^__Host-visitor=.*; Secure$/)
    expect(visitors.idOf(`a=b; ${setCookie.split(';')[0]}`)).toEqual({ visitorId, setCookie: undefined })
    expect(visitors.idOf(setCookie.replace('__Host-', '').split(';')[0]).visitorId).not.toBe(visitorId)
  })
})

describe('the page that only votes', () => {
  const look = async (path: string) => (await fetch(api.url + path, { headers: { 'accept-language': 'en' } })).text()

  it('has a short address, the server’s name and the form, filled in from a link', async () => {
    const page = await look(`/vote/${id.slice(-12)}?username=Zo%C3%AB+%22%3E&gamePlatformId=76561198000000009`)
    expect(page).toContain('>My island</a></h1>')
    expect(page).toMatch(/name="username"[^>]*value="Zoë &quot;>"/)
    expect(page).toMatch(/name="gamePlatformId"[^>]*value="76561198000000009"/)
    expect(page).toContain(`<link rel="canonical" href="http://localhost:0/servers/my-island-${id.slice(-12)}"/>`)
    expect((await fetch(`${api.url}/vote/000000000000`)).status).toBe(404)
  })

  it('fills in the form of the server’s page too, which keeps one address for search engines', async () => {
    const page = await look(`/servers/${id}?username=Zoe`)
    expect(page).toMatch(/name="username"[^>]*value="Zoe"/)
    expect(page).toContain(`<link rel="canonical" href="http://localhost:0/servers/my-island-${id.slice(-12)}"/>`)
  })

  it('votes without scripts, says when again, and that a vote was refused', async () => {
    const address = `/vote/${id.slice(-12)}`
    const send = (fields: Record<string, string>, cookie = '') =>
      fetch(api.url + address, {
        method: 'POST',
        body: new URLSearchParams({ action: 'vote', ...fields }),
        headers: { 'accept-language': 'en', cookie },
        redirect: 'manual',
      })
    const voted = await send({ username: 'Zoe' })
    expect([voted.status, voted.headers.get('location')]).toEqual([303, `${address}?done=voted#vote`])
    expect(await (await resultOf(voted, cookieOf(voted))).text()).toContain('Thank you for your vote.')
    const again = await send({ username: 'Zoe' }, cookieOf(voted))
    expect(again.status).toBe(429)
    expect(await again.text()).toMatch(/Again in \d\d:\d\d:\d\d/)
    expect((await send({ username: 'x'.repeat(51) })).status).toBe(400)
  })

  it('reminds by mail without scripts, and says when the next vote is possible', async () => {
    const address = `/vote/${id.slice(-12)}`
    const { cookie: session } = await addPerson(api.database.pool)
    const send = (action: string, cookie: string) =>
      fetch(api.url + address, {
        method: 'POST',
        body: new URLSearchParams({ action }),
        headers: { 'accept-language': 'en', cookie },
        redirect: 'manual',
      })
    const visitor = cookieOf(await send('vote', session))
    const reminded = await send('remind', `${session}; ${visitor}`)
    expect(reminded.status).toBe(200)
    const page = await reminded.text()
    expect(page).toContain('You will be reminded when you can vote again.')
    expect(page).toMatch(/Again in \d\d:\d\d:\d\d/)
    const stranger = await send('remind', visitor)
    expect(stranger.headers.get('location')).toBe(`/login?${new URLSearchParams({ next: address })}`)
  })

  it.each(['voted', 'sent', 'reminded'])('is open for the visitors of an address with done=%s', async (done) => {
    const path = serverPath({ id, name: 'My island' })
    for (const address of [`/vote/${id.slice(-12)}?done=${done}`, `${path}?done=${done}`]) {
      const page = await look(address)
      expect([address, page]).toEqual([address, expect.stringMatching(/<form[^>]*data-vote/)])
      expect(page).not.toMatch(/role="status">(Thank you for your vote|You will be reminded)/)
    }
  })

  it('has at most 25 kB with its scripts and styles, compressed', async () => {
    const page = await look(`/vote/${id.slice(-12)}`)
    const links = page.matchAll(/(?:modulepreload" href|module" src|stylesheet" href)="([^"]+)"/g)
    const used = [...new Set([...links].map(([, address]) => String(address)))]
    const sizes = await Promise.all(
      used.map(async (file) => gzipSync(await (await fetch(api.url + file)).bytes()).length),
    )
    expect(used.length).toBeGreaterThan(5)
    expect(gzipSync(page).length + sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25 * 1024)
  })
})

describe('where votes need a proof of work', () => {
  it('the page says that voting needs scripts, and shows what the API refuses without', async () => {
    const page = await startTestApi({ database: api.database, settings: { VOTE_PROOF: 'altcha' } })
    const headers = { 'accept-language': 'en' }
    const shown = await (await fetch(`${page.url}/servers/${id}`, { headers })).text()
    expect(shown).toMatch(/<noscript><p class="notice is-warn">Votes need scripts here[^<]+<\/p><\/noscript>/)
    expect(await (await fetch(`${api.url}/servers/${id}`, { headers })).text()).not.toContain('<noscript><p')
    const body = new URLSearchParams({ action: 'vote' })
    const reply = await fetch(`${page.url}/servers/${id}`, { method: 'POST', headers, body })
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('Your browser must run scripts to vote here.')
  })
})

describe('what needs an account', () => {
  it('a favorite leads a visitor to the login and back', async () => {
    const reply = await post({ action: 'favorite' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/login?next=%2Fservers%2F${id}`])
  })

  it('a report keeps its text, and asks the visitor to log in in another tab', async () => {
    const reply = await post({ action: 'report', reason: 'spam', details: 'Three ads a minute' })
    expect(reply.status).toBe(401)
    const page = await reply.text()
    expect(page).toContain('Log in in another tab')
    expect(page).toContain('>Three ads a minute</textarea>')
    expect(page).toMatch(/<option value="spam" selected/)
  })

  it('works with one', async () => {
    const { cookie } = await addPerson(api.database.pool)
    for (const [action, words] of [
      ['favorite', 'Added to your favorites.'],
      ['report', 'An administrator will look at your report.'],
    ] as const) {
      const reply = await post({ action, reason: 'spam', details: 'Ads' }, { cookie })
      expect(reply.headers.get('location')).toBe(`/servers/${id}?done=${action}`)
      const page = await fetch(api.url + reply.headers.get('location'), { headers: { 'accept-language': 'en' } })
      expect(await page.text()).toContain(words)
    }
    const again = await post({ action: 'report', reason: 'spam', details: 'More ads' }, { cookie })
    expect(await again.text()).toMatch(/already have an open report[\s\S]*>More ads<\/textarea>/)
  })

  it('a refused report keeps what was written, open, with its problem at the field', async () => {
    const { cookie } = await addPerson(api.database.pool)
    const details = 'Claims rates it does not have. '.repeat(40)
    const reply = await post({ action: 'report', reason: 'misleading', details }, { cookie })
    expect(reply.status).toBe(400)
    const page = await reply.text()
    const [card = ''] = /<details open>(?:(?!<\/details>)[\s\S])*value="report"[\s\S]*?<\/details>/.exec(page) ?? []
    expect(card).toContain('<option value="misleading" selected>')
    expect(card).toMatch(/<textarea[^>]*aria-describedby="details-problem"[^>]*aria-invalid="true"/)
    expect(card).toContain(`>${details}</textarea>`)
    expect(card).toMatch(/id="details-problem">Details: must/)
    expect(page).toMatch(/role="alert">Check the marked fields\. Details: must/)
  })
})
