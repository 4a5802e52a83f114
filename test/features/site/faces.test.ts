// The faces of servers on pages: logos in two sizes, marks that stand in for them, and flags.
import { beforeAll, expect, it } from 'vitest'
import { initialsOf, markColor } from '../../../src/platform/mark.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi()
const { pool } = api.database
const { get } = formsOf(api.url)
const HASH = 'a'.repeat(43)
let withLogo = ''

beforeAll(async () => {
  await pool.query('insert into images (hash, webp, small, card) values ($1, $2, $2, $2)', [
    HASH,
    Buffer.from('an image'),
  ])
  withLogo = await insertServer(pool, { name: 'Alpha Island' })
  await pool.query('update servers set logo_hash = $1, banner_hash = $1 where id = $2', [HASH, withLogo])
  await putStatus(pool, withLogo, { country: 'DE' })
  for (let n = 0; n < 12; n++) await insertServer(pool, { name: `Beta <${n}>` })
  await api.directory.refresh()
})

it('a list shows small logos and marks, with fixed sizes, and loads late what is far down', async () => {
  const { html } = await get('/')
  expect(html).toContain(`src="/images/${HASH}-64.webp" width="40" height="40"`)
  expect(html).toMatch(
    /<svg class="face" viewBox="0 0 32 32" width="40" height="40" aria-hidden="true"><rect [^>]*fill="#[0-9a-f]{6}"/,
  )
  for (const [image] of html.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/width="\d+" height="\d+"/)
  expect(html).not.toMatch(/style=/)
})

it('the page of a server shows its banner and the larger logo', async () => {
  const { html } = await get(`/servers/${withLogo}`).then(({ location }) => get(location ?? `/servers/${withLogo}`))
  expect(html).toContain(`<img class="banner" src="/images/${HASH}.webp" width="960" height="240"`)
  expect(html).toContain(`src="/images/${HASH}.webp" width="64" height="64"`)
})

it('flags are files of ours that browsers keep, and nothing else is in their folder', async () => {
  const { html } = await get('/')
  const [, path = ''] = /<img class="flag" src="(\/flags\/\d+\/DE\.svg)" width="18" height="12"/.exec(html) ?? []
  const flag = await fetch(api.url + path)
  expect([flag.status, flag.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(flag.headers.get('cache-control')).toContain('immutable')
  expect(await flag.text()).toMatch(/^<svg/)
  for (const other of ['de.svg', 'XX.svg', '..%2Fpackage.json', 'US-CA.svg', 'DE.png'])
    expect((await fetch(api.url + path.replace('DE.svg', other))).status).toBe(404)
})

it.each([
  ['Bear Island', 'BI'],
  ['  [EU] Rust 5x ', 'ER'],
  ['Minecraft', 'M'],
  ['★ ☆ ★', '#'],
  ['猫の島', '猫'],
  ['𝔅ear', '𝔅'],
  ['<b>x', 'BX'],
])('the mark of %j is %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

it('a mark has the colour of its game, on which white text is readable', () => {
  const channel = (hex: string) => {
    const share = Number.parseInt(hex, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  for (let n = 0; n < 200; n++) {
    const [r = '', g = '', b = ''] = markColor(`game ${n}`).slice(1).match(/../g) ?? []
    const luminance = 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
    expect(1.05 / (luminance + 0.05)).toBeGreaterThanOrEqual(4.5)
  }
  expect(markColor('rust')).toBe(markColor('rust'))
})
