// The picture of `bannerUrl`: downloaded from public addresses only, and bounded.
import { describe, expect, it } from 'vitest'
import { createDownload } from '../../../workers/faces/download.ts'
import { createEncoder } from '../../../workers/faces/encoder.ts'
import { createFaceFetchHandler } from '../../../workers/faces/face-fetch.handler.ts'
import { facesOf } from '../../features/faces/support.ts'
import { callerOf, serverFields } from '../../features/servers/support.ts'
import { startTestApi } from '../../support/api.ts'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { pngOf, SVG } from './pictures.ts'

const PICTURE = await pngOf({ width: 468, height: 60 })
const { signal } = new AbortController()
const asked: string[] = []
const { origin } = await startLoopbackServer(({ url: { pathname }, headers }, res) => {
  asked.push(`${pathname} ${headers['user-agent']}`)
  if (pathname === '/moved') res.writeHead(302, { location: '/banner.png' }).end()
  else if (pathname === '/gone') res.writeHead(404).end()
  else if (pathname === '/silent') res.flushHeaders()
  else if (pathname === '/large') res.end(Buffer.alloc(6 * 1024 * 1024))
  else res.end(pathname === '/drawing.svg' ? SVG : PICTURE)
})
const download = createDownload({ allowPrivate: true })

describe('a download', () => {
  it('has the bytes of the picture, and says who asks', async () => {
    expect(await download(`${origin}/banner.png`, signal)).toEqual(PICTURE)
    expect(asked.at(-1)).toBe('/banner.png server-directory-pictures/1')
  })

  it.each([
    ['/moved', 'the address redirects to another one'],
    ['/gone', 'the answer was 404'],
    ['/large', 'has more than 5 MB'],
  ])('of %s is refused: %s', async (path, refused) => {
    expect(await download(origin + path, signal)).toEqual({ refused })
  })

  it('of an address that does not answer ends by itself', async () => {
    const impatient = createDownload({ allowPrivate: true, timeoutMs: 500 })
    expect(await impatient(`${origin}/silent`, signal)).toEqual({ refused: 'timeout' })
  })

  it.each([
    'http://127.0.0.1:1/a.png',
    'http://[::1]/a.png',
    'http://10.0.0.1/a.png',
    'http://localhost/a.png',
    'http://169.254.169.254/a.png',
    'http://[::ffff:127.0.0.1]/a.png',
  ])('of the private address %s is not tried', async (url) => {
    const careful = createDownload({ allowPrivate: false })
    const { refused } = (await careful(url, signal)) as { refused: string }
    expect(refused).toMatch(/^(not a public address|the name leads to no public address)$/)
  })
})

describe('bannerUrl', async () => {
  const api = await startTestApi({ settings: { ALLOW_PRIVATE_TARGETS: 'true' } })
  const call = callerOf(api)
  const { read, upload, jobs } = facesOf(api)
  const handle = createFaceFetchHandler(api.deps, createEncoder(), download)
  const work = async () => {
    const attempts = await jobs()
    for (const attempt of attempts) await handle(attempt, signal)
    return attempts.length
  }
  async function listed(): Promise<{ id: string; owner: Person }> {
    const owner = await addPerson(api.database.pool)
    const { body } = await call(owner, 'POST', '/servers', serverFields())
    return { id: (body.server as { id: string }).id, owner }
  }
  const set = (id: string, owner: Person, bannerUrl: string) => call(owner, 'PATCH', `/servers/${id}`, { bannerUrl })
  const shown = async (id: string) => {
    await api.directory.refresh()
    const { bannerUrl, bannerImageUrl } = (await call(undefined, 'GET', `/servers/${id}`)).body
    return { bannerUrl, bannerImageUrl }
  }

  it('is downloaded when it changes, once, and its picture goes with it', async () => {
    const { id, owner } = await listed()
    await set(id, owner, `${origin}/banner.png`)
    expect((await read(id, owner)).banner).toMatchObject({ state: 'pending', source: 'url' })
    expect(await work()).toBe(1)
    expect(await shown(id)).toEqual({
      bannerUrl: `${origin}/banner.png`,
      bannerImageUrl: expect.stringMatching(/\/images\/[\w-]{43}\.webp$/),
    })
    await call(owner, 'PATCH', `/servers/${id}`, { bannerUrl: `${origin}/banner.png`, description: 'New' })
    expect(await work()).toBe(0)
    await set(id, owner, '')
    expect(await shown(id)).toEqual({ bannerUrl: '', bannerImageUrl: null })
  })

  it('stays as it is if its picture is refused; the owner sees why, and saves it again to try again', async () => {
    const { id, owner } = await listed()
    await set(id, owner, `${origin}/drawing.svg`)
    await work()
    expect(await shown(id)).toEqual({ bannerUrl: `${origin}/drawing.svg`, bannerImageUrl: null })
    expect((await read(id, owner)).banner).toMatchObject({
      state: 'refused',
      reason: 'is not a PNG, JPEG, WebP or GIF image',
    })
    await set(id, owner, `${origin}/gone`)
    await work()
    expect((await read(id, owner)).banner.reason).toBe('can’t be downloaded: the answer was 404')
    await set(id, owner, `${origin}/gone`)
    expect(await work()).toBe(1)
  })

  it('does not replace a banner that was uploaded after it, nor take it away', async () => {
    const { id, owner } = await listed()
    await set(id, owner, `${origin}/banner.png`)
    const [late] = await jobs()
    if (!late) throw new Error('no job')
    await upload(id, 'banner', PICTURE, owner)
    await handle(late, signal)
    expect((await read(id, owner)).banner).toMatchObject({ state: 'pending', source: 'upload' })
    await set(id, owner, '')
    expect((await read(id, owner)).banner).toMatchObject({ state: 'pending', source: 'upload' })
  })
})
