// Servers on the pages of an account: the address that players type, and links to pages that exist.
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { tell } from '../notifications/support.ts'
import { callerOf, serverFields } from '../servers/support.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi()
const { pool } = api.database
const { get } = formsOf(api.url)
const call = callerOf(api)
const [owner, fan] = [await addPerson(pool), await addPerson(pool)]
let listed = ''
let hidden = ''

/** A listing without a port, which players do not type. */
async function list(name: string, ipAddress: string): Promise<string> {
  const { gamePort: _gamePort, ...fields } = serverFields({ name, ipAddress, game: 'minecraft' })
  const { body } = await call(owner, 'POST', '/servers', fields)
  return (body.server as { id: string }).id
}

const setHidden = async (id: string, isHidden: boolean) => {
  await pool.query('update servers set hidden_at = case when $2 then now() end where id = $1', [id, isHidden])
  await api.directory.refresh()
}

beforeAll(async () => {
  listed = await list('Listed', 'play.example.org')
  hidden = await list('Hidden', 'hidden.example.org')
  await call(fan, 'POST', `/servers/${listed}/favorite`)
  for (const id of [listed, hidden]) {
    await pool.query(`insert into server_members (server_id, user_id, role, owner_id) values ($1, $2, 'viewer', $3)`, [
      id,
      fan.id,
      owner.id,
    ])
  }
  await setHidden(hidden, true)
})

describe('the address that players type', () => {
  const addressesIn = (html: string) => [...new Set(html.match(/(play|hidden)\.example\.org(:\d+)?/g))]

  it('is what favorites show', async () => {
    expect(addressesIn((await get('/account/favorites', fan)).html)).toEqual(['play.example.org'])
  })

  it('is what the lists of an owner and of a member show, of servers that are not listed too', async () => {
    for (const person of [owner, fan])
      expect(addressesIn((await get('/my/servers', person)).html).toSorted()).toEqual([
        'hidden.example.org',
        'play.example.org',
      ])
  })

  it('is what the pages of a server show', async () => {
    const shown = async (path: string) => addressesIn((await get(`/my/servers/${path}`, owner)).html)
    expect(await shown(listed)).toEqual(['play.example.org'])
    expect(await shown(`${listed}/claim`)).toEqual(['play.example.org'])
    expect(await shown(hidden)).toEqual(['hidden.example.org'])
  })
})

it('a notification leads to its server only while the server is listed', async () => {
  const id = await list('Comes and goes', 'gone.example.org')
  await api.directory.refresh()
  await call(fan, 'PUT', `/servers/${id}/notifications`, { events: ['serverOffline'] })
  await tell(api.deps, 'serverOffline', { serverId: id, data: { serverName: 'Comes and goes' } })
  const title = async () => /<li><p><b[^>]*>(.*?)<\/b>/.exec((await get('/account/notifications', fan)).html)?.[1]
  expect(await title()).toMatch(`<a href="/servers/comes-and-goes-${id.slice(-12)}">Comes and goes`)
  await setHidden(id, true)
  expect(await title()).toMatch(/^Comes and goes/)
  await setHidden(id, false)
  await pool.query('update servers set deleted_at = now() where id = $1', [id])
  await api.directory.refresh()
  expect(await title()).toMatch(/^Comes and goes/)
})
