// The look of the site: set by administrators, shown at once by every process, on pages, card pages and in mails.
import { describe, expect, it } from 'vitest'
import { logoEncode } from '../../../src/features/appearance/appearance.jobs.ts'
import { runFacesUpkeep } from '../../../src/features/faces/index.ts'
import { createEncoder, type Encode } from '../../../workers/faces/encoder.ts'
import { createLogoEncodeHandler } from '../../../workers/faces/logo-encode.handler.ts'
import { startTestApi } from '../../support/api.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { BLUE, pngOf } from '../../workers/faces/pictures.ts'
import { startMailWorker } from '../../workers/mail/support.ts'
import { callerOf, serverFields } from '../servers/support.ts'
import { formsOf } from '../site/forms.ts'

const api = await startTestApi()
const other = await startTestApi({ database: api.database })
const { pool } = api.database
const call = callerOf(api)
const { get, post } = formsOf(api.url)
const { get: getFromOther } = formsOf(other.url)
const shownByOther = async (path = '/') => (await getFromOther(path)).html
const admin = await addPerson(pool, { isAdmin: true })
const SOON = { timeout: 10_000, interval: 20 }

const server = await call(admin, 'POST', '/servers', serverFields())
const serverId = (server.body as { server: { id: string } }).server.id
await other.directory.refresh()

interface Appearance {
  name: string
  accent: string | null
  logo: { state: string; reason: string | null; url: string | null }
  [field: string]: unknown
}
const change = async (fields: object) => call(admin, 'PATCH', '/admin/appearance', fields)
const read = async () => (await call(admin, 'GET', '/admin/appearance')).body as unknown as Appearance
const entries = async () => {
  const { rows } = await pool.query<{ action: string; details: object }>(
    `select action, details from audit_log where target_type = 'site' order by id`,
  )
  return rows
}

const encode = createEncoder()
const { signal } = new AbortController()
async function jobs() {
  const { boss } = api.deps.jobs
  const taken = await boss.fetch<{ attemptId: string }>(logoEncode.queue, { batchSize: 100 })
  for (const { id } of taken) await boss.complete(logoEncode.queue, id)
  return taken.map(({ data: { attemptId } }) => ({ attemptId }))
}
async function uploadLogo(bytes: Buffer | string, type = 'image/png') {
  const headers = { cookie: admin.cookie, 'content-type': type }
  const reply = await api.request('/api/admin/appearance/logo', { method: 'PUT', body: bytes as string, headers })
  return { status: reply.status, body: (await reply.json()) as Appearance & { error?: string } }
}
const work = async (how: Encode = encode) => {
  for (const attempt of await jobs()) await createLogoEncodeHandler(api.deps, how)(attempt, signal)
}

describe('a change', () => {
  it('is shown by the process that made it before it answers, and by the others at once', async () => {
    for (const name of ['North & <b>South</b>', 'سيرفرات', 'Plain']) {
      // Both have the page in memory.
      await Promise.all([get('/'), shownByOther()])
      expect(await change({ name })).toMatchObject({ status: 200, body: { name } })
      const title = `Game servers · ${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`
      expect((await get('/')).html).toContain(title)
      await expect.poll(() => shownByOther(), SOON).toContain(title)
    }
  })

  it('is seen by a process whose connection was broken when it was announced', async () => {
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'directory feed'`,
    )
    await change({ name: 'While away' })
    await expect.poll(() => shownByOther(), SOON).toContain('While away</title>')
  })

  it('is audited with what it was before, and one that changes nothing is not', async () => {
    const before = (await entries()).length
    await change({ name: 'Audited', imprintUrl: 'https://imprint.example/' })
    await change({ name: 'Audited' })
    await change({})
    expect((await entries()).slice(before)).toEqual([
      {
        action: 'appearance.update',
        details: {
          before: { name: 'While away', imprintUrl: '' },
          after: { name: 'Audited', imprintUrl: 'https://imprint.example/' },
        },
      },
    ])
  })

  it('of two at once is whole: neither field is lost', async () => {
    await Promise.all([
      change({ name: 'Both' }),
      change({ accent: '#AA3300' }),
      change({ introduction: 'Hello' }),
      change({ privacyUrl: 'https://privacy.example/' }),
    ])
    expect(await read()).toMatchObject({
      name: 'Both',
      accent: '#aa3300',
      introduction: 'Hello',
      privacyUrl: 'https://privacy.example/',
    })
  })

  it('ticks the first step', async () => {
    const isDone = async () => {
      const { body } = await call(admin, 'GET', '/admin/first-steps')
      return (body as { steps: { name: string; isDone: boolean }[] }).steps.find(({ name }) => name === 'appearance')
    }
    expect(await isDone()).toEqual({ name: 'appearance', isDone: true })
    await change({ name: '', accent: null })
    expect(await isDone()).toEqual({ name: 'appearance', isDone: false })
    expect((await get('/')).html).toContain('Server Directory</title>')
  })
})

describe('all pages', () => {
  it('have the name, the colour and the links, in the page’s language', async () => {
    await change({
      name: 'Nordstern',
      accent: '#ffd400',
      imprintUrl: 'https://n.example/imprint?a=1&b=2',
      privacyUrl: 'https://n.example/privacy',
    })
    const { location: serverPage } = await get(`/servers/${serverId}`)
    for (const path of [
      '/',
      '/games',
      '/docs',
      '/nowhere',
      String(serverPage),
      `/vote/${serverId}`,
      '/payment',
      '/login',
    ]) {
      const { html } = await get(path)
      expect([path, html]).toEqual([path, expect.stringContaining('· Nordstern</title>')])
      expect(html).toContain('<meta property="og:site_name" content="Nordstern"')
      expect(html).toContain('href="https://n.example/imprint?a=1&amp;b=2">Imprint</a>')
      expect(html).toContain('rel="privacy-policy">Privacy policy</a>')
      expect(html).toMatch(/<link rel="stylesheet" href="\/accents\/ffd400-[\w-]{12}\.css"/)
      expect(html).not.toContain('Server Directory')
    }
    expect((await get('/?lang=de')).html).toContain('>Impressum</a>')
  })

  it('load the style of the colour, which the policy allows and caches keep', async () => {
    const { html } = await get('/')
    const [, path = ''] = /href="(\/accents\/[^"]+)"/.exec(html) ?? []
    const style = await fetch(api.url + path)
    expect(style.status).toBe(200)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await style.text()).toContain(':root{--accent:#')
    const ofAnotherVersion = await fetch(api.url + path.replace(/-.*/, '-aaaaaaaaaaaa.css'))
    expect(ofAnotherVersion.headers.get('cache-control')).toBe('public, max-age=60')
    expect((await fetch(`${api.url}/accents/red;}body{.css`)).status).toBe(404)
  })

  it('of mails follow too, also after they were read once', async () => {
    for (const path of ['/confirm', '/password', '/notifications']) {
      const { html } = await get(path)
      expect(html).toMatch(/<title>[^<]+ · Nordstern<\/title>/)
      expect(html).toMatch(/<header><a href="\/"><img [^>]+>Nordstern<\/a><\/header>/)
      expect(html).toMatch(/href="\/accents\/ffd400-[\w-]{12}\.css"/)
      expect(html).toContain('href="https://n.example/privacy">Privacy policy</a>')
    }
    await change({ name: 'Südstern' })
    expect((await get('/confirm')).html).toContain(' · Südstern</title>')
    await expect.poll(() => shownByOther('/confirm'), SOON).toContain(' · Südstern</title>')
  })

  it('have the introduction above the whole list only, in safe Markdown', async () => {
    await change({
      introduction:
        '### Welcome\n\n**Fair** play. <script>alert(1)</script> [a](javascript:alert(1)) ![b](https://evil.example/b.png)',
    })
    const { html } = await get('/')
    expect(html).toContain('<h2>Welcome</h2>')
    expect(html).toContain('<strong>Fair</strong>')
    expect(html).not.toMatch(/<script>alert|href="javascript|<img[^>]+evil/)
    expect((await get('/?game=rust')).html).not.toContain('<h2>Welcome</h2>')
    await change({ introduction: '' })
  })
})

describe('what is refused', () => {
  it.each([
    ['accent', 'red;}body{display:none}'],
    ['accent', 'red'],
    ['accent', '#0b62d6;}'],
    ['accent', '#fff'],
    ['accent', ''],
    ['imprintUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'data:text/html,<script>'],
    ['imprintUrl', 'https://user:password@n.example/'],
    ['imprintUrl', '/imprint'],
    ['name', 'two\nlines'],
    ['name', 'x'.repeat(61)],
    ['introduction', 'x'.repeat(2001)],
    ['logo', 'x'],
  ])('%s %j', async (field, value) => {
    const before = await read()
    const { status, body } = await change({ [field]: value })
    expect([status, body]).toMatchObject([400, { error: 'validation_failed', details: [{ path: `body.${field}` }] }])
    expect(await read()).toEqual(before)
  })

  it('a name that would break a page or a card is only text', async () => {
    const name = '</title><script>alert(1)</script>"\'&'
    await change({ name })
    const { location: serverPage } = await get(`/servers/${serverId}`)
    for (const path of ['/', '/payment', String(serverPage)]) {
      const { html } = await get(path)
      expect(html).toContain('alert(1)')
      expect(html).not.toContain('<script>alert(1)')
    }
    expect((await api.request(`/api/servers/${serverId}/card.png`)).status).toBe(200)
    await change({ name: 'Südstern' })
  })
})

describe('the logo', () => {
  it('is pending, then on every page as a picture of the site itself, and nothing of the upload is kept', async () => {
    expect(await uploadLogo(await pngOf())).toMatchObject({
      status: 202,
      body: { logo: { state: 'pending', url: null } },
    })
    await work()
    const { logo } = await read()
    expect(logo).toMatchObject({
      state: 'ready',
      reason: null,
      url: expect.stringMatching(/\/images\/[\w-]{43}\.webp$/),
    })
    const small = new URL(String(logo.url)).pathname.replace('.webp', '-64.webp')
    await expect.poll(async () => (await get('/')).html, SOON).toContain(small) // a worker has announced it
    for (const path of ['/', '/payment', '/docs']) {
      const { html } = await get(path)
      expect(html).toContain(`<link rel="icon" type="image/webp" href="${small}"`)
      expect(html).toMatch(new RegExp(`<img [^>]*src="${small}"`))
    }
    await expect.poll(() => shownByOther(), SOON).toContain(small)
    expect((await api.request(small)).headers.get('content-type')).toBe('image/webp')
    const { rows } = await pool.query('select logo_upload, logo_attempt_id from site_appearance')
    expect(rows).toEqual([{ logo_upload: null, logo_attempt_id: null }])
  })

  it('stays while another one is refused, and the upkeep of pictures leaves it', async () => {
    const { logo: before } = await read()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect(await uploadLogo(svg, 'image/svg+xml')).toMatchObject({ status: 415 })
    expect(await uploadLogo(svg)).toMatchObject({ status: 400, body: { error: 'invalid_image' } })
    await uploadLogo(Buffer.concat([(await pngOf()).subarray(0, 60), Buffer.alloc(200)]))
    await work()
    expect((await read()).logo).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('damaged'),
      url: before.url,
    })
    await pool.query(`update images set used_at = now() - interval '2 days'`)
    await runFacesUpkeep(api.deps)
    expect((await api.request(new URL(String(before.url)).pathname)).status).toBe(200)
  })

  it('that was replaced or removed while it was encoded does not come back', async () => {
    const { logo: before } = await read()
    await uploadLogo(await pngOf({}, BLUE))
    await work(async (...given) => {
      await call(admin, 'DELETE', '/admin/appearance/logo')
      return encode(...given)
    })
    expect((await read()).logo).toEqual({ state: 'none', reason: null, url: null })
    expect((await get('/')).html).not.toContain(new URL(String(before.url)).pathname.slice(0, 30))
    await uploadLogo(await pngOf())
    const [first] = await jobs()
    await uploadLogo(await pngOf({}, BLUE))
    const [second] = await jobs()
    if (!first || !second) throw new Error('no jobs')
    const handle = createLogoEncodeHandler(api.deps, encode)
    await handle(second, signal)
    const { logo } = await read()
    await handle(first, signal)
    expect((await read()).logo).toEqual(logo)
  })

  it('that no worker encodes is refused after half an hour', async () => {
    await uploadLogo(await pngOf())
    await jobs()
    await pool.query(`update site_appearance set logo_given_at = now() - interval '31 minutes'`)
    expect((await read()).logo).toMatchObject({ state: 'refused', reason: expect.stringContaining('try again') })
  })
})

it('a mail that is sent after a change has the name, the colour and the logo', async () => {
  await change({ name: 'Nordstern', accent: '#aa3300' })
  await uploadLogo(await pngOf())
  await work()
  const mailServer = await startMailServer()
  const worker = await startMailWorker(api.database, { SMTP_URL: mailServer.url, PUBLIC_BASE_URL: api.url })
  const person = await addPerson(pool)
  await worker.send({ kind: 'password-changed', userId: person.id })
  await expect.poll(() => mailServer.received.length, { interval: 50 }).toBe(1)
  await change({ name: 'Südstern' })
  await worker.send({ kind: 'password-changed', userId: person.id })
  await expect.poll(() => mailServer.received.length, { interval: 50 }).toBe(2)
  const [before, after] = mailServer.received
  expect(before?.headers.get('from')).toBe('Nordstern <no-reply@localhost>')
  expect(before?.text).toContain('\nNordstern\n')
  expect(after?.text).toContain('\nSüdstern\n')
})

describe('the administrator’s page', () => {
  it('shows what is set, saves it, and shows again what was refused', async () => {
    const form = {
      action: 'save',
      name: 'By form',
      accent: '#00aa55',
      hasAccent: 'true',
      introduction: 'Hi',
      imprintUrl: '',
      privacyUrl: '',
    }
    const saved = await post('/admin/appearance', form, admin)
    expect([saved.status, saved.location]).toEqual([303, '/admin/appearance?done=saved'])
    const { html } = await get('/admin/appearance', admin)
    expect(html).toContain('value="By form"')
    expect(html).toContain('value="#00aa55"')
    expect(html).toMatch(/fill="#[0-9a-f]{6}"/)
    expect(await read()).toMatchObject({ name: 'By form', accent: '#00aa55', introduction: 'Hi' })
    const { hasAccent: _, ...without } = form
    const refused = await post(
      '/admin/appearance',
      { ...without, imprintUrl: 'javascript:alert(1)', name: 'Typed' },
      admin,
    )
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('value="Typed"')])
    expect(await read()).toMatchObject({ name: 'By form', accent: '#00aa55' })
    const withoutPicture = await post('/admin/appearance', { action: 'logo' }, admin)
    expect([withoutPicture.status, withoutPicture.html]).toEqual([
      400,
      expect.stringMatching(/name="hasAccent"[^>]*checked/),
    ])
    expect((await post('/admin/appearance', without, admin)).status).toBe(303)
    expect(await read()).toMatchObject({ accent: null, colors: null })
  })

  it('previews the introduction and saves nothing', async () => {
    const form = { action: 'save', preview: 'true', name: 'Not saved', introduction: '**bold** <i>x</i>' }
    const { status, html } = await post('/admin/appearance', form, admin)
    expect([status, html]).toEqual([200, expect.stringContaining('<strong>bold</strong> &lt;i&gt;')])
    expect(html).toContain('value="Not saved"')
    expect(await read()).toMatchObject({ name: 'By form' })
  })

  it('takes a logo without scripts', async () => {
    const body = new FormData()
    body.set('action', 'logo')
    body.set('picture', new Blob([new Uint8Array(await pngOf())]), 'logo.png')
    const sent = fetch(`${api.url}/admin/appearance`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: admin.cookie, origin: 'http://localhost:0' },
    })
    await expect.poll(async () => (await read()).logo.state, SOON).toBe('pending')
    await work()
    expect((await sent).headers.get('location')).toBe('/admin/appearance?done=saved')
    expect((await get('/admin/appearance', admin)).html).toMatch(/<img class="face-preview" src="\/images\//)
    await post('/admin/appearance', { action: 'removeLogo' }, admin)
    expect((await read()).logo.state).toBe('none')
    expect((await entries()).at(-1)?.action).toBe('appearance.logo.remove')
  })
})
