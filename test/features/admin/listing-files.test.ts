// Administrators hide several servers at once, import CSV files by the rules of the command, and export
// what an import takes.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../src/features/listing-files/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { csvLine } from '../../../src/platform/csv.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits, createTestDatabase } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { openAdminBench } from './support.ts'

const { api, pool, call, admin, list, entries } = await openAdminBench()

interface Report {
  dryRun: boolean
  added: number
  refused: { place: string; reason: string }[]
  ignoredColumns: string[]
  error?: string
  message?: string
}
async function importCsv(csv: string | Buffer, query = '', to = api, who = admin) {
  const headers = { cookie: who.cookie, 'content-type': 'text/csv' }
  const reply = await to.request(`/api/admin/servers/import${query}`, { method: 'POST', body: csv as string, headers })
  return { status: reply.status, body: (await reply.json()) as Report }
}
async function exportCsv(query = '') {
  const reply = await api.request(`/api/admin/servers/export${query}`, { headers: { cookie: admin.cookie } })
  return { headers: reply.headers, csv: await reply.text() }
}
const countOf = async (name: string, db = pool) =>
  (await db.query('select from servers where name = $1 and deleted_at is null', [name])).rowCount

describe('hiding several servers', () => {
  it('hides each with an entry that says why, names those that are gone, and counts only changes', async () => {
    const owner = await addPerson(pool)
    const ids = [await list(owner), await list(owner), await list(owner)]
    const [first = '', second = '', third = ''] = ids
    await call(admin, 'PATCH', `/admin/servers/${second}`, { hidden: true })
    await call(admin, 'DELETE', `/admin/servers/${third}`)
    const hide = (hidden: boolean) =>
      call(admin, 'POST', '/admin/servers/hide', {
        ids: [...ids, first, 'no id'],
        hidden,
        reason: 'Spam',
      })
    expect(await hide(true)).toMatchObject({ status: 200, body: { changed: 1, missing: [third, 'no id'] } })
    expect((await call(undefined, 'GET', `/servers/${first}`)).status).toBe(404)
    expect((await entries(first)).at(-1)).toMatchObject({
      actorId: admin.id,
      action: 'server.update',
      details: { before: { hidden: false }, after: { hidden: true }, reason: 'Spam' },
    })
    expect((await entries(second)).length).toBe(1)
    expect(await hide(false)).toMatchObject({ body: { changed: 2, missing: [third, 'no id'] } })
    expect((await call(undefined, 'GET', `/servers/${first}`)).status).toBe(200)
  })

  it('of overlapping lists at once, in any order, ends with each server changed once', async () => {
    const owner = await addPerson(pool)
    const ids = await Promise.all(Array.from({ length: 8 }, () => list(owner)))
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        call(admin, 'POST', '/admin/servers/hide', { ids: n % 2 ? ids : ids.toReversed(), hidden: true }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(replies.reduce((sum, { body }) => sum + (body as { changed: number }).changed, 0)).toBe(8)
    for (const id of ids) expect((await entries(id)).length).toBe(1)
  })

  it.each([[{ ids: [], hidden: true }], [{ ids: [1], hidden: true }], [{ hidden: true }]])(
    'refuses %j',
    async (body) => {
      expect((await call(admin, 'POST', '/admin/servers/hide', body)).status).toBe(400)
    },
  )
})

const HEAD = 'name,ipAddress,gamePort,game'
const MIXED = [
  HEAD,
  'Imported One,10.77.0.1,7001,ase',
  'X,10.77.0.2,7001,ase',
  'Imported Two,nowhere at all,7001,ase',
  'Imported Three,10.77.0.1,7001,ase',
  'Imported Four,10.77.0.4,99999,nosuchgame',
  'cut short',
  'Imported Five,10.77.0.5,7001,ase',
].join('\n')

describe('an import', () => {
  it('says first what would become of each line, adds nothing, and then does just that', async () => {
    const preview = await importCsv(MIXED, '?dryRun=true')
    expect(preview).toMatchObject({ status: 200, body: { dryRun: true, added: 2, ignoredColumns: [] } })
    expect(preview.body.refused.map(({ place }) => place)).toEqual(['line 3', 'line 4', 'line 5', 'line 6', 'line 7'])
    expect(preview.body.refused[2]?.reason).toContain('already those of line 2')
    expect(await countOf('Imported One')).toBe(0)
    const done = await importCsv(MIXED)
    expect(done.body).toEqual({ ...preview.body, dryRun: false })
    expect([await countOf('Imported One'), await countOf('Imported Five')]).toEqual([1, 1])
    expect((await entries('servers')).at(-1)).toMatchObject({
      action: 'servers.import',
      details: { added: 2, refused: 5 },
    })
    const again = await importCsv(MIXED, '?dryRun=true')
    expect(again.body.added).toBe(0)
    expect(again.body.refused[0]).toMatchObject({
      place: 'line 2',
      reason: expect.stringContaining('already those of server'),
    })
  })

  it('refuses addresses that their owners have taken off the directory, and private ones where they are not allowed', async () => {
    await pool.query(
      `insert into discovery_blocks (id, network, host, port, is_opt_out)
       values (gen_random_uuid(), '10.78.0.1', null, 7001, true), (gen_random_uuid(), null, 'gone.example', 7001, true)`,
    )
    const strict = await startTestApi({ database: api.database, settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const csv = [
      `${HEAD},queryPort,bedrockAddress,bedrockPort`,
      'Opted out,10.78.0.1,7001,ase,7001,,',
      'Opted out by name,Gone.Example,7001,ase,7001,,',
      'Another port,gone.example,7001,ase,7002,,',
      'Opted out for Bedrock,play.example,25565,minecraft,25565,gone.example,7001',
      'Private,10.78.0.2,7001,ase,7001,,',
    ].join('\n')
    const preview = await importCsv(csv, '?dryRun=true', strict)
    const optedOut = 'The owner of this address has taken it off the directory.'
    expect(preview.body).toMatchObject({
      added: 1,
      refused: [
        { place: 'line 2', reason: optedOut },
        { place: 'line 3', reason: optedOut },
        { place: 'line 5', reason: optedOut },
        { place: 'line 6', reason: 'ipAddress: must be a public address' },
      ],
    })
    expect((await importCsv(csv, '', strict)).body).toEqual({ ...preview.body, dryRun: false })
    expect((await importCsv(csv)).body.added).toBe(1) // the private one, where it is allowed
  })

  it('refuses the same lines with the same words as the command', async () => {
    const { url } = await createTestDatabase()
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'import-')), 'servers.csv')
    fs.writeFileSync(file, MIXED)
    const output = await new Promise<string>((resolve) => {
      const env = { ...process.env, DATABASE_URL: url }
      execFile(
        process.execPath,
        ['--no-warnings', 'commands/servers/main.ts', 'import', file],
        { env },
        (_, out, err) => resolve(out + err),
      )
    })
    const other = await startTestApi()
    const otherAdmin = await addPerson(other.deps.pool, { isAdmin: true })
    const { body } = await importCsv(MIXED, '', other, otherAdmin)
    expect(body.refused.length).toBe(5)
    for (const { place, reason } of body.refused) expect(output).toContain(`${place}: ${reason}`)
    expect(output).toContain('7 rows read: 2 added, 5 refused')
  })

  it.each([
    ['without a header', 'Alpha,10.0.0.1,7777\n', 'needs a first line'],
    ['that is empty', '', 'is empty'],
    ['with a quote that is never closed', `${HEAD}\nLost One,10.78.0.1,7001,ase\n"Lost,`, 'never closed'],
    ['with too many rows', `name,ipAddress\n${'a,b\n'.repeat(5_001)}`, 'more than 5000 rows'],
    ['with a column twice', 'name,ipAddress,name\n', 'column name twice'],
  ])('of a file %s changes nothing and says why', async (_, csv, why) => {
    const { status, body } = await importCsv(csv)
    expect([status, body]).toMatchObject([400, { error: 'unreadable_file', message: expect.stringContaining(why) }])
    expect(await countOf('Lost One')).toBe(0)
  })

  it('is bounded: a larger file is not read, and another type is refused', async () => {
    expect((await importCsv('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    const headers = { cookie: admin.cookie, 'content-type': 'application/zip' }
    const zip = await api.request('/api/admin/servers/import', { method: 'POST', body: 'PK', headers })
    expect(zip.status).toBe(415)
  })

  it('of the largest file does not hold up other requests', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `Many ${n},not an address ${n},7001,ase,${'d'.repeat(120)}`)
    let isDone = false
    const importing = importCsv(`${HEAD},description\n${rows.join('\n')}`, '?dryRun=true').finally(() => {
      isDone = true
    })
    let answeredMeanwhile = 0
    while (!isDone) {
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200)
      if (!isDone) answeredMeanwhile++
    }
    expect((await importing).body.refused.length).toBe(5_000)
    expect(answeredMeanwhile).toBeGreaterThan(5)
  })

  it('does not list an address whose opt-out was begun before, and lists the others', async () => {
    const { id } = await createServers({ pool }).add({ name: 'Leaving', ipAddress: '203.0.113.77', gamePort: 7001 })
    const optingOut = await pool.connect()
    await optingOut.query('begin')
    await optingOut.query(
      `insert into discovery_blocks (id, network, port, is_opt_out)
       select gen_random_uuid(), '203.0.113.77', query_port, true from servers where id = $1`,
      [id],
    )
    await optingOut.query('update servers set deleted_at = now() where id = $1', [id])
    const file = [HEAD, 'Leaving again,203.0.113.77,7001,ase', 'Staying,203.0.113.78,7001,ase'].join('\n')
    const importing = importCsv(file)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await optingOut.query('commit')
    optingOut.release()
    const { body } = await importing
    expect(body).toMatchObject({ added: 1, refused: [{ reason: expect.stringContaining('off the directory') }] })
    expect([await countOf('Leaving again'), await countOf('Staying')]).toEqual([0, 1])
  })

  it('takes truth values as spreadsheets save them, and refuses others', async () => {
    const rows = ['TRUE', 'False', 'true', '', 'yes'].map((value, n) => `Truth ${n},10.80.0.${n},7001,ase,${value}`)
    const { body } = await importCsv([`${HEAD},nameFromServer`, ...rows].join('\n'))
    expect(body.refused).toEqual([{ place: 'line 6', reason: 'nameFromServer: must be true or false' }])
    const { rows: stored } = await pool.query(
      `select name_from_server as truth from servers where name like 'Truth %' order by name`,
    )
    expect(stored.map(({ truth }) => truth)).toEqual([true, false, true, false])
  })

  it('names columns that no field has, and takes text that is not UTF-8 for what it is', async () => {
    expect(
      (await importCsv(`${HEAD},mötor\nSome Name,10.79.0.1,7001,ase,1`, '?dryRun=true')).body.ignoredColumns,
    ).toEqual(['mötor'])
    const latin = Buffer.from(`${HEAD}\nCaf\xe9 du Nord,10.79.0.2,7001,ase`, 'latin1')
    expect((await importCsv(latin, '?dryRun=true')).body.refused[0]?.reason).toBe('name: must be UTF-8 text')
  })
})

describe('an export', () => {
  const HOSTILE = [
    '=HYPERLINK("https://evil.example","x")',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    "'=quoted",
    '＝1+1',
    'a "b", c',
  ]

  it('imported elsewhere gives the same servers, and no cell is a formula', async () => {
    const owner = await addPerson(pool)
    const made = await createServers({ pool }).addMany(
      HOSTILE.map((name, n) => ({
        name,
        ipAddress: `10.90.0.${n + 1}`,
        gamePort: 7000 + n,
        game: 'minecraft',
        description: `- first\n- "second"\n\n${name}`,
        tags: ['=tag', 'b c'],
        rates: 'xp:2,harvest:3.5',
        mods: '-mod,other',
        region: '@home',
        website: 'https://site.example/?a=1,2',
        gameMode: 'PvE' as const,
        lastWipeAt: '2026-01-31T18:00:00.000Z',
        bedrockAddress: 'bedrock.example',
        nameFromServer: n % 2 === 0,
      })),
    )
    await createServers({ pool }).add({ name: 'Port left out', ipAddress: '10.90.1.1', game: 'minecraft' })
    expect(made.every((one) => 'id' in one)).toBe(true)
    await pool.query('update servers set owner_id = $1', [owner.id])
    const { csv, headers } = await exportCsv()
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="servers.csv"')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(csv).not.toContain(owner.id)
    const cells = (parse(csv, { bom: true, record_delimiter: '\r\n' }) as string[][]).flat()
    expect(cells).toContain(`'${HOSTILE[0]}`)
    expect(cells.filter((cell) => /^[=+@\t＝-]/.test(cell))).toEqual([])

    const target = await startTestApi()
    const otherAdmin = await addPerson(target.deps.pool, { isAdmin: true })
    const { body } = await importCsv(csv, '', target, otherAdmin)
    expect(body.refused).toEqual([])
    const COLUMNS = `name, ip_address, game_port, game_port_given, query_port, game, game_mode, description, region, tags, website,
      chat_url, banner_url, rates, mods, last_wipe_at, bedrock_address, bedrock_port, name_from_server`
    const stored = async (db: typeof pool) =>
      (await db.query(`select ${COLUMNS} from servers where deleted_at is null order by ip_address, query_port`)).rows
    expect(await stored(target.deps.pool)).toEqual(await stored(pool))
  })

  it('can be imported if a game server reported a name in another encoding', async () => {
    const { id } = await createServers({ pool }).add({ name: 'Reported', ipAddress: '10.92.0.1', gamePort: 7001 })
    await pool.query('update servers set name = $2 where id = $1', [id, 'Caf\uFFFD du Nord'])
    const { csv } = await exportCsv('?search=du+Nord')
    const target = await startTestApi()
    const { body } = await importCsv(csv, '', target, await addPerson(target.deps.pool, { isAdmin: true }))
    expect(body).toMatchObject({ added: 1, refused: [] })
  })

  it('has all parts of a long list, of which filters choose', async () => {
    const many = Array.from({ length: 1_203 }, (_, n) => ({
      name: `Long list ${n}`,
      ipAddress: `10.91.${n >> 8}.${n & 255}`,
      gamePort: 7001,
    }))
    await createServers({ pool }).addMany(many)
    const { csv } = await exportCsv('?search=Long+list&hidden=false')
    const rows = await Array.fromAsync(readCsv(Readable.from([Buffer.from(csv)]), 'it'))
    expect(rows.map(({ values }) => values.name)).toEqual(many.map(({ name }) => name))
    expect((await exportCsv('?hidden=true&search=Long+list')).csv.trim().split('\n').length).toBe(1)
  })

  it('keeps any cell as it is on the way out and in', async () => {
    const cell = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '"', ',', '\n', '\t', ' ', 'a', '＝', 'é'),
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (cells) => {
        const csv =
          csvLine(['name', 'ipAddress', 'description']) + cells.map((text) => csvLine(['n', 'a', text])).join('')
        const rows = await Array.fromAsync(readCsv(Readable.from([Buffer.from(csv)]), 'it'))
        expect(rows.map(({ values }) => values.description)).toEqual(cells)
      }),
    )
  })
})
