// What polls learn besides the status: stored once, rarely, without waiting for edits, and served.
import { beforeEach, describe, expect, it } from 'vitest'
import { resetStatus } from '../../../src/features/listings/listings.sql.ts'
import { changedProfile, runProfilesUpkeep, writeReports } from '../../../src/features/profiles/index.ts'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers, type NewServerInput } from '../../../src/features/servers/index.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables, testLog } from '../../support/database.ts'

const api = await startTestApi()
const { pool } = api.database
const servers = createServers({ pool })
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

let last = 0
async function list(fields: Partial<NewServerInput> = {}): Promise<string> {
  last++
  const { id } = await servers.add({ name: `Server ${last}`, ipAddress: `10.4.0.${last}`, gamePort: 27_015, ...fields })
  return id
}

/** A report of a server of which nothing was known. */
const reportOf = (serverId: string, reported: Parameters<typeof changedProfile>[1]) => ({
  serverId,
  cycle: 0,
  ...changedProfile(null, reported),
})

async function stored(serverId: string) {
  const { rows } = await pool.query(
    `select name, game_port as "gamePort", profile, icon_hash as "iconHash"
     from servers left join server_profiles on server_id = id where id = $1`,
    [serverId],
  )
  return rows[0]
}

const later = () => pool.query(`update server_profiles set changed_at = changed_at - interval '11 minutes'`)

beforeEach(() => emptyTables(pool, 'servers', 'icons'))

describe('a report', () => {
  it('is stored, and its listing is read again by the directory', async () => {
    const id = await list()
    const changedIn = () => pool.query('select changed_in::text from servers where id = $1', [id])
    const before = await changedIn()
    await writeReports(pool, [reportOf(id, { motd: 'Hello', icon: PNG })])
    const { profile, iconHash } = await stored(id)
    expect(profile).toEqual({ motd: 'Hello', icon: iconHash })
    expect((await changedIn()).rows).not.toEqual(before.rows)
  })

  it('changes a profile again only after ten minutes', async () => {
    const id = await list()
    await writeReports(pool, [reportOf(id, { motd: 'One' })])
    await writeReports(pool, [reportOf(id, { motd: 'Two' })])
    expect(await stored(id)).toMatchObject({ profile: { motd: 'One' } })
    await later()
    await writeReports(pool, [reportOf(id, { motd: 'Two' })])
    expect(await stored(id)).toMatchObject({ profile: { motd: 'Two' } })
  })

  it('sets the name only of a server whose owner wants that', async () => {
    const [own, taken] = [await list(), await list({ nameFromServer: true })]
    await writeReports(
      pool,
      [own, taken].map((id) => reportOf(id, { name: 'As reported' })),
    )
    expect((await stored(own)).name).toMatch(/^Server/)
    expect((await stored(taken)).name).toBe('As reported')
  })

  it('sets the game port only of a server whose owner gave none', async () => {
    const [given, left] = [await list(), await list({ game: 'minecraft', gamePort: undefined })]
    expect((await stored(left)).gamePort).toBe(25_565)
    await writeReports(pool, [
      { serverId: given, cycle: 0, gamePort: 25_570 },
      { serverId: left, cycle: 0, gamePort: 25_570 },
    ])
    expect((await stored(given)).gamePort).toBe(27_015)
    expect((await stored(left)).gamePort).toBe(25_570)
  })

  it('skips a listing that is being edited, instead of waiting for the edit', async () => {
    const [edited, free] = [await list(), await list()]
    const editor = await pool.connect()
    try {
      await editor.query('begin')
      await editor.query('select from servers where id = $1 for no key update', [edited])
      await writeReports(
        pool,
        [edited, free].map((id) => reportOf(id, { motd: 'Hello' })),
      )
    } finally {
      await editor.query('rollback')
      editor.release()
    }
    expect((await stored(edited)).profile).toBeNull()
    expect((await stored(free)).profile).toEqual({ motd: 'Hello' })
  })

  it('of a server that has moved since changes nothing', async () => {
    const id = await list()
    await resetStatus(pool, id)
    await writeReports(pool, [reportOf(id, { motd: 'Of the former address' })])
    expect((await stored(id)).profile).toBeNull()
  })

  it('is stored although the next poll has begun: its batch was slow', async () => {
    const id = await list()
    await pool.query('update server_polls set cycle = cycle + 1 where server_id = $1', [id])
    await writeReports(pool, [reportOf(id, { motd: 'Hello' })])
    expect((await stored(id)).profile).toEqual({ motd: 'Hello' })
  })

  it('of a removed server changes nothing, and what it reported before is deleted', async () => {
    const id = await list()
    await writeReports(pool, [reportOf(id, { motd: 'Before' })])
    await removeServerAndNotify(pool, id)
    await later()
    await writeReports(pool, [reportOf(id, { motd: 'Hello' })])
    expect((await stored(id)).profile).toBeNull()
  })
})

describe('an icon', () => {
  it('is stored once, whichever servers show it', async () => {
    const ids = [await list(), await list()]
    await Promise.all(ids.map((id) => writeReports(pool, [reportOf(id, { icon: PNG })])))
    expect((await pool.query('select png from icons')).rows).toEqual([{ png: PNG }])
  })

  it('is deleted a day after the last server stopped showing it, and not before', async () => {
    const id = await list()
    await writeReports(pool, [reportOf(id, { icon: PNG })])
    const upkeep = () => runProfilesUpkeep({ pool, log: testLog })
    const count = async () => (await pool.query('select from icons')).rowCount
    await pool.query(`update icons set used_at = now() - interval '25 hours'`)
    await upkeep()
    expect(await count()).toBe(1)
    await later()
    await writeReports(pool, [{ serverId: id, cycle: 0, profile: { motd: 'None' } }])
    await pool.query(`update icons set used_at = now()`)
    await upkeep()
    expect(await count()).toBe(1)
    await pool.query(`update icons set used_at = now() - interval '25 hours'`)
    await upkeep()
    expect(await count()).toBe(0)
  })

  it('is served for good, as a PNG image that any page may show', async () => {
    await writeReports(pool, [reportOf(await list(), { icon: PNG })])
    const { rows } = await pool.query<{ hash: string }>('select hash from icons')
    const response = await fetch(`${api.url}/icons/${rows[0]?.hash}.png`, {
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['/icons/unknown.png', `/icons/${'a'.repeat(43)}.png`, `/icons/${'a'.repeat(43)}`, '/icons/%00.png'])(
    'is not found at %s',
    async (path) => {
      expect((await api.request(path)).status).toBe(path.includes('%00') ? 400 : 404)
    },
  )
})
