// Pages have the names of games, never their ids, wherever a person reads one.
import { expect, it } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi()
const { pool } = api.database
const { get } = formsOf(api.url)
/** A type whose id is no word that a page can have otherwise. */
const [ID, NAME] = ['counterstrike2', 'Counter-Strike 2']

const owner = await addPerson(pool)
const admin = await addPerson(pool, { isAdmin: true })
const { id } = await createServers({ pool }).add({ name: 'Dust', ipAddress: '192.0.2.9', game: ID, gamePort: 27_015 })
await pool.query('update servers set owner_id = $2, is_verified = true, is_featured = true where id = $1', [
  id,
  owner.id,
])
await pool.query('insert into favorites (id, user_id, server_id) values (gen_random_uuid(), $1, $2)', [owner.id, id])
await api.directory.refresh()

/** What is read: neither addresses, values nor data of scripts. */
const readIn = (html: string) =>
  html
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/ content="http[^"]*"/g, '')
    .replaceAll(/ (?!alt|title|aria-label|placeholder|content|label)[\w-]+="[^"]*"/g, '')

it.each([
  ...['/', '/games', '/ranking', '/compare?ids=', '/featured', '/auctions', `/servers/${id}`, `/servers/${id}/vote`],
  ...['/?game=counterstrike2', '/?q=cs2', '/?q=nothing+at+all', '/games/counter-strike-2'],
])('%s', async (path) => {
  const { html } = await get(path.replace('ids=', `ids=${id}`))
  expect(readIn(html)).not.toContain(ID)
})

it.each(['', '/edit', '/claim', '/endpoints', '/votes', '/rewards', '/rcon', '/wipes', '/team'])(
  'my server%s',
  async (tab) => {
    const { status, html } = await get(`/my/servers/${id}${tab}`, owner)
    expect(status).toBe(200)
    expect(readIn(html)).not.toContain(ID)
  },
)

it.each(['/my/servers', '/my/servers/new', '/account', '/account/favorites', '/account/notifications'])(
  '%s',
  async (path) => {
    expect(readIn((await get(path, owner)).html)).not.toContain(ID)
  },
)

it.each(['', '/servers', '/import', '/sources', '/slots', '/auctions', '/reports', '/audit', '/votes', '/queues'])(
  '/admin%s',
  async (tab) => {
    const { html } = await get(`/admin${tab}`, admin)
    expect(readIn(html)).not.toContain(ID)
    if (tab === '/servers') expect(html).toContain(NAME)
  },
)

it.each([`/api/servers/${id}/banner.svg`, `/api/servers/${id}/badge.svg`])('%s', async (path) => {
  const { html } = await get(path)
  expect(readIn(html)).not.toContain(ID)
})
