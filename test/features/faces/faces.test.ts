// Logos and banners from upload to display, with the handlers that a worker would run.
import { v4 as uuidv4 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_WAITING_BYTES, MAX_WAITING_UPLOADS, recordEncoding } from '../../../src/features/faces/faces.service.ts'
import { runFacesUpkeep } from '../../../src/features/faces/index.ts'
import { changedProfile, runProfilesUpkeep, writeReports } from '../../../src/features/profiles/index.ts'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { createEncoder, type Encode } from '../../../workers/faces/encoder.ts'
import { createFaceEncodeHandler } from '../../../workers/faces/face-encode.handler.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { BLUE, plain, pngOf } from '../../workers/faces/pictures.ts'
import { formsOf } from '../site/forms.ts'
import { facesOf } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { upload, remove, read, jobs } = facesOf(api)
const encode = createEncoder()
const handle = createFaceEncodeHandler(api.deps, encode)
const { signal } = new AbortController()
const RED_PNG = await pngOf()
const BLUE_PNG = await pngOf({}, BLUE)

let addresses = 0
async function ownServer(owner?: Person) {
  const person = owner ?? (await addPerson(pool))
  const { id } = await createServers({ pool }).add({
    name: 'Bear Island',
    ipAddress: `10.8.0.${++addresses}`,
    gamePort: 7777,
  })
  await pool.query('update servers set owner_id = $1 where id = $2', [person.id, id])
  await api.directory.refresh()
  return { id, owner: person }
}
const shown = async (id: string) => {
  await api.directory.refresh()
  const server = await (await api.request(`/api/servers/${id}`)).json()
  return server as { logoUrl: string | null; bannerImageUrl: string | null }
}
const work = async () => {
  for (const attempt of await jobs()) await handle(attempt, signal)
}
const withLogo = async () => {
  const server = await ownServer()
  await upload(server.id, 'logo', RED_PNG, server.owner)
  await work()
  return server
}

describe('an uploaded logo', () => {
  it('is pending, then shown by the API, immutable in both sizes, and nothing of the original is kept', async () => {
    const { id, owner } = await ownServer()
    const { status, body } = await upload(id, 'logo', RED_PNG, owner)
    expect([status, body.logo]).toMatchObject([202, { state: 'pending', source: 'upload', url: null }])
    expect(await shown(id)).toMatchObject({ logoUrl: null })
    await work()
    const { logoUrl } = await shown(id)
    const { pathname } = new URL(String(logoUrl))
    expect(pathname).toMatch(/^\/images\/[\w-]{43}\.webp$/)
    expect((await read(id, owner)).logo).toMatchObject({ state: 'ready', url: logoUrl, reason: null })
    for (const path of [pathname, pathname.replace('.webp', '-64.webp')]) {
      const image = await api.request(path)
      expect(image.status).toBe(200)
      expect(Object.fromEntries(image.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      const again = await api.request(path, { headers: { 'if-none-match': image.headers.get('etag') ?? '' } })
      expect(again.status).toBe(304)
    }
    for (const path of ['-65.webp', '.png', '-64.png']) {
      expect((await api.request(pathname.replace('.webp', path))).status).toBe(404)
    }
    const { rows } = await pool.query('select upload, uploaded_by from server_faces where server_id = $1', [id])
    expect(rows).toEqual([{ upload: null, uploaded_by: null }])
    const list = (await (await api.request('/api/servers')).json()) as { servers: { id: string; logoUrl: string }[] }
    expect(list.servers.find((server) => server.id === id)?.logoUrl).toBe(logoUrl)
  })

  it('stays shown while another one is refused, and says why', async () => {
    const { id, owner } = await withLogo()
    const before = await shown(id)
    await upload(id, 'logo', Buffer.concat([RED_PNG.subarray(0, 60), Buffer.alloc(200)]), owner)
    await work()
    expect(await shown(id)).toEqual(before)
    expect((await read(id, owner)).logo).toMatchObject({ state: 'refused', reason: expect.stringContaining('damaged') })
  })

  it('of two at once the one that came last is shown, in whichever order they are encoded', async () => {
    const { id, owner } = await ownServer()
    await upload(id, 'logo', RED_PNG, owner)
    await upload(id, 'logo', BLUE_PNG, owner)
    const { rows } = await pool.query<{ attempt: string }>(
      'select attempt_id as attempt from server_faces where server_id = $1',
      [id],
    )
    const attempts = await jobs()
    const second = attempts.find(({ attemptId }) => attemptId === rows[0]?.attempt)
    const first = attempts.find((attempt) => attempt !== second)
    if (!first || !second) throw new Error('no jobs')
    await handle(second, signal)
    const { logoUrl } = await shown(id)
    await handle(first, signal)
    expect(await shown(id)).toMatchObject({ logoUrl })
    const { id: other, owner: another } = await ownServer()
    await upload(other, 'logo', BLUE_PNG, another)
    await work()
    expect(await shown(other)).toMatchObject({ logoUrl }) // equal pictures are one
  })

  it('that is replaced while it is encoded is not shown', async () => {
    const { id, owner } = await ownServer()
    await upload(id, 'logo', RED_PNG, owner)
    const [attempt] = await jobs()
    if (!attempt) throw new Error('no job')
    const slow: Encode = async (...given) => {
      await upload(id, 'logo', BLUE_PNG, owner)
      return encode(...given)
    }
    await createFaceEncodeHandler(api.deps, slow)(attempt, signal)
    expect(await shown(id)).toMatchObject({ logoUrl: null })
    expect((await read(id, owner)).logo.state).toBe('pending')
    await work()
    expect((await read(id, owner)).logo.state).toBe('ready')
  })

  it('of a worker that ends in the middle is encoded by the next, once', async () => {
    const { id, owner } = await ownServer()
    await upload(id, 'logo', RED_PNG, owner)
    const [attempt] = await jobs()
    if (!attempt) throw new Error('no job')
    const killed = new AbortController()
    const dying: Encode = async (...given) => {
      const result = await encode(...given)
      killed.abort()
      return result
    }
    await expect(createFaceEncodeHandler(api.deps, dying)(attempt, killed.signal)).rejects.toThrow()
    expect((await read(id, owner)).logo.state).toBe('pending')
    await handle(attempt, signal)
    const { logoUrl } = await shown(id)
    expect(logoUrl).not.toBeNull()
    await handle(attempt, signal) // delivered twice
    expect(await shown(id)).toMatchObject({ logoUrl })
  })

  it('is removed by its owner at once, and with its server', async () => {
    const { id, owner } = await withLogo()
    expect((await remove(id, 'logo', owner)).body.logo).toMatchObject({ state: 'none', url: null })
    expect(await shown(id)).toMatchObject({ logoUrl: null })
    const other = await withLogo()
    await removeServerAndNotify(pool, other.id)
    const { rows } = await pool.query(
      'select logo_hash from servers left join server_faces on server_id = id where id = $1 and (logo_hash is not null or server_id is not null)',
      [other.id],
    )
    expect(rows).toEqual([])
  })
})

describe('refused at once is', () => {
  it('what is no picture, by its first bytes, and another content type', async () => {
    const { id, owner } = await ownServer()
    const svg = await upload(id, 'logo', '<svg xmlns="http://www.w3.org/2000/svg"/>', owner)
    expect([svg.status, svg.body.error]).toEqual([400, 'invalid_image'])
    for (const type of ['image/svg+xml', 'text/html', 'application/pdf', 'application/json']) {
      const reply = await upload(id, 'logo', RED_PNG, owner, type)
      expect([reply.status, reply.body.error]).toEqual([415, 'unsupported_media_type'])
    }
    expect((await read(id, owner)).logo.state).toBe('none')
  })

  it('more than 5 MB', async () => {
    const { id, owner } = await ownServer()
    const large = Buffer.concat([RED_PNG, Buffer.alloc(5 * 1024 * 1024)])
    const reply = await upload(id, 'banner', large, owner)
    expect([reply.status, reply.body.error]).toEqual([413, 'payload_too_large'])
  })

  it('a picture of another’s server, and one from a foreign page', async () => {
    const { id, owner } = await ownServer()
    expect((await upload(id, 'logo', RED_PNG, await addPerson(pool))).status).toBe(403)
    expect((await upload(id, 'logo', RED_PNG)).status).toBe(401)
    const foreign = await api.request(`/api/servers/${id}/logo`, {
      method: 'PUT',
      body: new Uint8Array(RED_PNG),
      headers: { cookie: owner.cookie, 'content-type': 'image/png', origin: 'https://elsewhere.example' },
    })
    expect(foreign.status).toBe(403)
  })

  it('an account’s upload while several others of it wait, exactly', async () => {
    const owner = await addPerson(pool)
    const servers = []
    for (let n = 0; n < MAX_WAITING_UPLOADS + 3; n++) servers.push((await ownServer(owner)).id)
    const replies = await Promise.all(servers.map((id) => upload(id, 'logo', RED_PNG, owner)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(MAX_WAITING_UPLOADS)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    // Another picture in place of one that waits needs no place.
    const first = servers[statuses.indexOf(202)] as string
    expect((await upload(first, 'logo', BLUE_PNG, owner)).status).toBe(202)
    await jobs()
    await pool.query('delete from server_faces')
  })

  it('any upload while too many bytes of all accounts wait', async () => {
    const { id, owner } = await ownServer()
    const waiting = (await ownServer()).id
    await pool.query('alter table server_faces alter column upload set storage extended') // compressed, for the speed of this test
    await pool.query(
      `insert into server_faces (server_id, kind, state, source, attempt_id, upload) values ($1, 'logo', 'pending', 'upload', $2, repeat('x', $3)::bytea)`,
      [waiting, uuidv4(), MAX_WAITING_BYTES],
    )
    onTestFinished(async () => void (await pool.query('delete from server_faces where server_id = $1', [waiting])))
    const reply = await upload(id, 'logo', RED_PNG, owner)
    expect([reply.status, reply.body.error]).toEqual([503, 'unavailable'])
  })
})

describe('a lock of an administrator', () => {
  const lock = async (id: string, method: string, admin: Person) =>
    (
      await api.request(`/api/admin/servers/${id}/faces/logo/lock`, {
        method,
        headers: { cookie: admin.cookie, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify({ reason: 'a trademark' }) }),
      })
    ).status

  it('removes the picture, beats an upload that is being encoded, and tells the owner why', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { id, owner } = await withLogo()
    await upload(id, 'logo', BLUE_PNG, owner)
    const [attempt] = await jobs()
    if (!attempt) throw new Error('no job')
    expect(await lock(id, 'POST', admin)).toBe(200)
    await handle(attempt, signal)
    expect(await shown(id)).toMatchObject({ logoUrl: null })
    const refused = await upload(id, 'logo', RED_PNG, owner)
    expect([refused.status, refused.body.error]).toEqual([400, 'face_locked'])
    expect((await remove(id, 'logo', owner)).body.logo).toMatchObject({ isLocked: true, reason: 'a trademark' })
    expect((await upload(id, 'banner', RED_PNG, owner)).status).toBe(202)

    expect(await lock(id, 'DELETE', admin)).toBe(200)
    expect((await upload(id, 'logo', RED_PNG, owner)).status).toBe(202)
    await work()
    expect(await shown(id)).not.toMatchObject({ logoUrl: null })
    const { rows } = await pool.query('select action, details from audit_log where target_id = $1 order by id', [id])
    expect(rows).toEqual([
      { action: 'server.face.lock', details: { kind: 'logo', reason: 'a trademark' } },
      { action: 'server.face.unlock', details: { kind: 'logo' } },
    ])
  })
})

describe('the upkeep', () => {
  it('deletes pictures that no server has shown for a day, and gives up on those whose job was lost', async () => {
    const { id, owner } = await withLogo()
    const { pathname } = new URL(String((await shown(id)).logoUrl))
    await pool.query(`update images set used_at = now() - interval '2 days'`)
    await runFacesUpkeep(api.deps)
    expect((await api.request(pathname)).status).toBe(200)
    await pool.query('update servers set logo_hash = null, banner_hash = null')
    await runFacesUpkeep(api.deps)
    expect((await api.request(pathname)).status).toBe(404)
    await upload(id, 'banner', RED_PNG, owner)
    await jobs()
    await pool.query(`update server_faces set updated_at = now() - interval '1 hour' where server_id = $1`, [id])
    await runFacesUpkeep(api.deps)
    expect((await read(id, owner)).banner).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('try again'),
    })
  })

  it('waits for an upload whose job runs late, as after an outage of the worker', async () => {
    const { id, owner } = await ownServer()
    await upload(id, 'logo', RED_PNG, owner)
    await pool.query(`update server_faces set updated_at = now() - interval '1 hour' where server_id = $1`, [id])
    await runFacesUpkeep(api.deps)
    const [attempt] = await jobs()
    if (attempt) await handle(attempt, signal)
    expect((await read(id, owner)).logo).toMatchObject({ state: 'ready' })
  })
})

describe('without scripts', () => {
  const { get } = formsOf(api.url)
  const post = async (id: string, cookie: string, form: FormData) => {
    const headers = { origin: 'http://localhost:0', cookie, 'accept-language': 'en' }
    const reply = await fetch(`${api.url}/my/servers/${id}/edit`, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
    })
    return { status: reply.status, html: await reply.text() }
  }
  it('a form of more than 200 fields is refused', async () => {
    const { id, owner } = await ownServer()
    const form = formOf('logo', RED_PNG)
    for (let n = 0; n < 198; n++) form.append('a', '')
    expect(await post(id, owner.cookie, form)).toMatchObject({
      status: 400,
      html: expect.stringContaining('more than 200 fields'),
    })
  })

  const formOf = (face: string, bytes: Buffer | undefined) => {
    const form = new FormData()
    form.set('face', face)
    form.set('action', 'upload')
    form.set('picture', new Blob(bytes ? [new Uint8Array(bytes)] : []), 'logo.png')
    return form
  }

  it('an owner uploads, sees what became of it, and removes it', async () => {
    const { boss } = api.deps.jobs
    const { id, owner } = await ownServer()
    await boss.work('face-encode', { pollingIntervalSeconds: 0.5 }, async ([job]) => handle(job?.data as never, signal))
    onTestFinished(() => boss.offWork('face-encode'))
    const page = () => get(`/my/servers/${id}/edit`, owner)
    expect((await page()).html).toContain('enctype="multipart/form-data"')
    expect((await post(id, owner.cookie, formOf('logo', await plain().webp().toBuffer()))).status).toBe(303)
    expect((await page()).html).toMatch(
      /<img class="face-preview" src="\/images\/[\w-]{43}\.webp" width="64" height="64"/,
    )
    expect((await get('/', owner)).html).toMatch(
      /<img class="face" src="\/images\/[\w-]{43}-64\.webp" width="40" height="40"/,
    )
    const removal = new FormData()
    removal.set('face', 'logo')
    removal.set('action', 'remove')
    expect((await post(id, owner.cookie, removal)).status).toBe(303)
    expect((await page()).html).not.toContain('face-preview')
  })

  it('a file that is none, none at all, and half a form are explained', async () => {
    const { id, owner } = await ownServer()
    const wrong = await post(id, owner.cookie, formOf('banner', Buffer.from('%PDF-1.7')))
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('not a PNG, JPEG, WebP or GIF image')])
    expect((await post(id, owner.cookie, formOf('banner', undefined))).html).toContain('choose a file')
    const half = await fetch(`${api.url}/my/servers/${id}/edit`, {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="face"\r\n\r\nlogo',
      headers: {
        origin: 'http://localhost:0',
        cookie: owner.cookie,
        'content-type': 'multipart/form-data; boundary=x',
      },
    })
    expect(half.status).toBe(400)
    expect((await get(`/my/servers/${id}/edit`, await addPerson(pool))).status).toBe(403)
  })
})

describe('a lock of an administrator on a reported icon', () => {
  const ICON = Buffer.from('89504e470d0a1a0a00', 'hex')
  const report = (serverId: string) =>
    writeReports(pool, [{ serverId, cycle: 0, ...changedProfile(null, { icon: ICON, motd: 'Hello' }) }])
  const lock = async (id: string, method: 'POST' | 'DELETE', admin: Person) => {
    const reply = await api.request(`/api/admin/servers/${id}/faces/icon/lock`, {
      method,
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ reason: 'not for children' }) }),
    })
    expect(reply.status).toBe(200)
  }
  const later = () => pool.query(`update server_profiles set changed_at = changed_at - interval '11 minutes'`)

  it('removes it at once, keeps it away from later polls, and tells the owner why', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { id, owner } = await ownServer()
    await report(id)
    expect(await shown(id)).toMatchObject({ iconUrl: expect.stringMatching(/\.png$/), motd: 'Hello' })
    await lock(id, 'POST', admin)
    expect(await shown(id)).toMatchObject({ iconUrl: null, logoUrl: null, motd: 'Hello' })
    expect((await read(id, owner)).icon).toEqual({ url: null, reason: 'not for children', isLocked: true })
    await later()
    await report(id)
    expect(await shown(id)).toMatchObject({ iconUrl: null, logoUrl: null, motd: 'Hello' })
    await pool.query(`update icons set used_at = now() - interval '2 days'`)
    await runProfilesUpkeep(api.deps)
    expect((await pool.query('select from icons')).rowCount).toBe(0)

    await lock(id, 'DELETE', admin)
    await later()
    await report(id)
    expect(await shown(id)).toMatchObject({ iconUrl: expect.stringMatching(/\.png$/) })
    expect((await read(id, owner)).icon).toMatchObject({ reason: null, isLocked: false })
  })

  it('makes later polls that report the same no change of the listing', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { id } = await ownServer()
    await report(id)
    await lock(id, 'POST', admin)
    const changedIn = async () => (await pool.query('select changed_in from servers where id = $1', [id])).rows
    const before = await changedIn()
    await later()
    await report(id)
    expect(await changedIn()).toEqual(before)
  })

  it('holds against a poll that knew the icon before the lock and changes something else', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { id } = await ownServer()
    const known = changedProfile(null, { icon: ICON, motd: 'Hello' })
    if (!known) throw new Error('unchanged')
    await report(id)
    await lock(id, 'POST', admin)
    await later()
    const change = changedProfile(known.profile, { icon: ICON, motd: 'Bye' })
    if (!change) throw new Error('unchanged')
    expect(change.icon).toBeUndefined()
    await writeReports(pool, [{ serverId: id, cycle: 0, ...change }])
    expect(await shown(id)).toMatchObject({ iconUrl: null, logoUrl: null, motd: 'Bye' })
  })

  it('wins against polls that report the icon at the same moment', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { id } = await ownServer()
    for (let round = 0; round < 10; round++) {
      await Promise.all([report(id), lock(id, 'POST', admin), report(id)])
      expect(await shown(id)).toMatchObject({ iconUrl: null })
      await lock(id, 'DELETE', admin)
      await later()
    }
  })
})

it.each(['is still awaited', 'was refused'])(
  'an uploaded banner stays when an address that was given since, whose picture %s, is removed',
  async (outcome) => {
    const { id, owner } = await ownServer()
    await upload(id, 'banner', RED_PNG, owner)
    await work()
    const { url } = (await read(id, owner)).banner
    const setAddress = (bannerUrl: string) =>
      api.request(`/api/servers/${id}`, {
        method: 'PATCH',
        headers: { cookie: owner.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ bannerUrl }),
      })
    expect((await setAddress('https://example.com/404.png')).status).toBe(200)
    const [attempt] = await jobs()
    if (!attempt) throw new Error('no download')
    if (outcome === 'was refused') await recordEncoding(api.deps, attempt, { refused: 'It does not exist.' })
    expect((await read(id, owner)).banner).toMatchObject({ source: 'url', url })
    expect((await setAddress('')).status).toBe(200)
    expect((await read(id, owner)).banner).toMatchObject({ state: 'ready', source: 'upload', reason: null, url })
    expect(url).toEqual(expect.any(String))
    expect(await recordEncoding(api.deps, attempt, { refused: 'Too late.' })).toBe(false)
  },
)

it.each(['was refused', 'waits'])(
  'the picture of an address goes with the address, also if an upload in its place %s',
  async (state) => {
    const { id, owner } = await ownServer()
    const setAddress = (bannerUrl: string) =>
      api.request(`/api/servers/${id}`, {
        method: 'PATCH',
        headers: { cookie: owner.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ bannerUrl }),
      })
    await upload(id, 'banner', RED_PNG, owner)
    await work()
    await api.database.pool.query(
      `update server_faces set source = 'url', shown_source = 'url' where server_id = $1 and kind = 'banner'`,
      [id],
    )
    await api.database.pool.query(`update servers set banner_url = 'https://example.com/a.png' where id = $1`, [id])
    await upload(id, 'banner', RED_PNG, owner)
    const [attempt] = await jobs()
    if (!attempt) throw new Error('no upload')
    const refuse = () => recordEncoding(api.deps, attempt, { refused: 'It can’t be decoded.' })
    if (state === 'was refused') await refuse()
    expect((await read(id, owner)).banner).toMatchObject({ source: 'upload', url: expect.any(String) })
    expect((await setAddress('')).status).toBe(200)
    expect(await refuse()).toBe(state === 'waits')
    expect((await read(id, owner)).banner).toMatchObject({ state: state === 'waits' ? 'refused' : 'none', url: null })
  },
)

it('the picture at the bannerUrl of an imported server is downloaded by the upkeep', async () => {
  const [added] = await createServers({ pool }).addMany([
    {
      name: 'Imported',
      ipAddress: `10.8.0.${++addresses}`,
      gamePort: 7777,
      bannerUrl: 'https://example.com/banner.png',
    },
  ])
  await runFacesUpkeep(api.deps)
  expect(await jobs()).toMatchObject([{ serverId: added && 'id' in added && added.id, kind: 'banner' }])
})

describe('a banner whose address was saved by an earlier release', () => {
  /** As migration 0059 leaves it. */
  async function waiting(bannerUrl: string) {
    const { id, owner } = await ownServer()
    await pool.query('update servers set banner_url = $2 where id = $1', [id, bannerUrl])
    await pool.query(`insert into server_faces (server_id, kind, state, source) values ($1, 'banner', 'none', 'url')`, [
      id,
    ])
    return { id, owner }
  }

  it('is downloaded by the upkeep, once', async () => {
    const { id, owner } = await waiting('https://example.com/banner.png')
    await runFacesUpkeep(api.deps)
    expect(await jobs()).toMatchObject([{ serverId: id, kind: 'banner' }])
    expect((await read(id, owner)).banner).toMatchObject({ state: 'pending', source: 'url' })
    await runFacesUpkeep(api.deps)
    expect(await jobs()).toEqual([])
  })

  it('waits for its download, as on a restored copy that is not adopted yet', async () => {
    const { id, owner } = await waiting('https://example.com/banner.png')
    await runFacesUpkeep(api.deps)
    await pool.query(`update server_faces set updated_at = now() - interval '1 hour' where server_id = $1`, [id])
    await runFacesUpkeep(api.deps)
    expect((await read(id, owner)).banner).toMatchObject({ state: 'pending', source: 'url' })
    expect(await jobs()).toMatchObject([{ serverId: id, kind: 'banner' }])
  })

  it('is not, if its owner was faster, or an administrator has locked it', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const [uploaded, removed, locked] = [
      await waiting('https://example.com/1.png'),
      await waiting('https://example.com/2.png'),
      await waiting('https://example.com/3.png'),
    ]
    expect((await upload(uploaded.id, 'banner', RED_PNG, uploaded.owner)).status).toBe(202)
    await remove(removed.id, 'banner', removed.owner)
    await api.request(`/api/admin/servers/${locked.id}/faces/banner/lock`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      body: '{}',
    })
    const own = await jobs()
    expect(own).toMatchObject([{ serverId: uploaded.id }])
    await runFacesUpkeep(api.deps)
    expect(await jobs()).toEqual([])
    // Once it is unlocked, the address counts again, also one that was saved meanwhile.
    await api.request(`/api/admin/servers/${locked.id}/faces/banner/lock`, {
      method: 'DELETE',
      headers: { cookie: admin.cookie },
    })
    await runFacesUpkeep(api.deps)
    expect(await jobs()).toMatchObject([{ serverId: locked.id, kind: 'banner' }])
  })
})
