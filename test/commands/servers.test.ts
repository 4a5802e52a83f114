// Runs `npm run servers` and checks what an operator sees.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../commands/database.ts'
import { listedIn } from '../../src/features/servers/index.ts'
import { createTestDatabase, emptyTables } from '../support/database.ts'
import { NODE_ARGS } from '../support/node.ts'

const { pool, url } = await createTestDatabase()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'servers-command-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => {
  await emptyTables(pool, 'servers')
})

interface Result {
  code: number | null
  out: string
  err: string[]
}

function servers(args: string[], env: Record<string, string> = { DATABASE_URL: url }): Promise<Result> {
  const child = spawn(process.execPath, [...NODE_ARGS, 'commands/servers/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, INIT_CWD: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const read = (stream: NodeJS.ReadableStream) => {
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    return () => text
  }
  const out = read(child.stdout)
  const err = read(child.stderr)
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, out: out(), err: err().split('\n').filter(Boolean) })),
  )
}

/** Imports a file with this content and returns which names are listed afterwards. */
async function importing(file: string, content: string | Buffer) {
  fs.writeFileSync(path.join(folder, file), content)
  const result = await servers(['import', file])
  const { rows } = await pool.query<{ name: string }>('select name from servers where deleted_at is null order by id')
  return { ...result, names: rows.map((row) => row.name) }
}

describe('add', () => {
  test('lists a server with the usual game port and a name made of its address', async () => {
    const { code, out, err } = await servers('add --game ase --address PLAY.example.com --query-port 27015'.split(' '))
    expect(err).toEqual([])
    expect(code).toBe(0)
    const { rows } = await pool.query('select id, name, game, ip_address, game_port, query_port from servers')
    expect(rows).toEqual([
      {
        id: expect.any(String),
        name: 'PLAY.example.com:7777',
        game: 'ase',
        ip_address: 'play.example.com',
        game_port: 7777,
        query_port: 27015,
      },
    ])
    expect(out).toBe(`added ${rows[0].id} PLAY.example.com:7777\n`)
  })

  test('takes every field', async () => {
    const { code } = await servers([
      ...['add', '--address', '192.0.2.1', '--query-port', '25566', '--game-port', '25565', '--game', 'minecraft'],
      ...['--name', 'My server', '--description', 'Words', '--region', 'Europe', '--tags', 'a,b', '--game-mode', 'PvE'],
      ...[
        '--website',
        'https://a.example',
        '--chat-url',
        'https://b.example',
        '--banner-url',
        'https://c.example/x.png',
      ],
      ...['--rates', 'xp:2', '--mods', 'm,n', '--last-wipe-at', '2026-01-31T18:00:00Z'],
    ])
    expect(code).toBe(0)
    const { rows } = await pool.query(
      `select name, game, description, region, tags, game_mode, website, chat_url, banner_url, rates, mods, last_wipe_at,
         game_port, query_port from servers`,
    )
    expect(rows).toEqual([
      {
        name: 'My server',
        game: 'minecraft',
        description: 'Words',
        region: 'Europe',
        tags: ['a', 'b'],
        game_mode: 'PvE',
        website: 'https://a.example',
        chat_url: 'https://b.example',
        banner_url: 'https://c.example/x.png',
        rates: 'xp:2',
        mods: 'm,n',
        last_wipe_at: new Date('2026-01-31T18:00:00Z'),
        game_port: 25565,
        query_port: 25566,
      },
    ])
  })

  test.each([
    ['add', '--address is missing'],
    ['add --address 192.0.2.1 --query-port x', '--query-port must be a whole number'],
    [
      'add --address 192.0.2.01 --query-port 70000 --game-port 1',
      '--address must be an IPv4 or IPv6 address or a DNS name; --query-port must be from 1 to 65535',
    ],
    [
      'add --address 192.0.2.1 --query-port 1 --game openaren',
      '--game must be a gamedig type id; did you mean openarena (OpenArena), alienarena (Alien Arena), or openttd (OpenTTD)?',
    ],
    ['add --address 192.0.2.1 --query-port 1 --colour red', "Unknown option '--colour'"],
    ['frobnicate', 'unknown command frobnicate; the commands are add, import, discover, list, remove'],
    ['remove', '<id> is missing'],
  ])('%s → exit code 2 and one line', async (line, message) => {
    expect(await servers(line.split(' '))).toEqual({ code: 2, out: '', err: [`servers: ${message}`] })
  })

  test('a server that is listed is refused with exit code 1', async () => {
    const line = 'add --address 192.0.2.1 --query-port 27015'.split(' ')
    await servers(line)
    const { code, err } = await servers(line)
    expect(code).toBe(1)
    expect(err).toEqual([expect.stringContaining('192.0.2.1:27015 is already listed as server ')])
  })

  test('an IPv6 address is listed once, however it is written', async () => {
    const added = await servers('add --address [2001:DB8::1] --query-port 27015'.split(' '))
    expect(added.out).toMatch(/ \[2001:DB8::1\]:7777\n$/)
    expect((await servers(['list', '--search', '2001:db8::1'])).out).toContain('  [2001:db8::1]:27015  ')
    const { err } = await servers('add --address 2001:db8:0:0::1 --query-port 27015'.split(' '))
    expect(err).toEqual([expect.stringContaining('[2001:db8::1]:27015 is already listed as server ')])
  })
})

test('list prints the servers, also hidden ones, and remove unlists one', async () => {
  const empty = await servers(['list'])
  expect(empty).toEqual({ code: 0, out: '', err: ['0 servers'] })
  await servers('add --address 192.0.2.1 --query-port 27015 --name Alpha'.split(' '))
  await servers('add --address 192.0.2.2 --query-port 27016 --name Beta'.split(' '))
  const { out, err } = await servers(['list'])
  expect(err).toEqual(['2 servers'])
  expect(out).toMatch(/^[0-9a-f-]{36} {2}offline .* ase .* 192\.0\.2\.1:27015 .* Alpha\n.*Beta\n$/)
  await pool.query(`update servers set hidden_at = now() where name = 'Beta'`)
  const found = await servers(['list', '--search', 'beta'])
  expect(found.out).toMatch(/^[0-9a-f-]{36} {2}hidden /)
  expect(found.err).toEqual(['1 server'])
  const id = found.out.slice(0, 36)
  expect(await servers(['remove', id])).toEqual({ code: 0, out: `removed ${id}\n`, err: [] })
  expect(await servers(['remove', id])).toEqual({
    code: 1,
    out: '',
    err: [`servers: no listed server has the id ${id}`],
  })
})

test('remove deletes the endpoints of the server, and cancels what they were to get', async () => {
  const { out } = await servers('add --address 192.0.2.1 --query-port 27015 --name Alpha'.split(' '))
  const id = /[0-9a-f-]{36}/.exec(out)?.[0] ?? ''
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'url', '{vote.created}', 'secret')`,
    [id],
  )
  await pool.query(
    `insert into endpoint_deliveries (id, endpoint_id, type, body) values ($1, $1, 'vote.created', '{}')`,
    [id],
  )
  expect(await servers(['remove', id])).toMatchObject({ code: 0 })
  const { rows } = await pool.query('select status from endpoint_deliveries where endpoint_id = $1', [id])
  expect(rows).toEqual([{ status: 'canceled' }])
  expect((await pool.query('select from endpoints where server_id = $1', [id])).rowCount).toBe(0)
})

test('a command lists the same servers as the processes', async () => {
  const openWith = async (LISTING_REQUIRES_VERIFICATION: boolean) => {
    const settings = {
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: undefined,
      DATA_DIR: folder,
      LISTING_REQUIRES_VERIFICATION,
    }
    const opened = await openDatabase(settings)
    await opened.end()
    return listedIn(opened)
  }
  expect(await openWith(true)).toBe(listedIn({ requireVerified: true }))
  expect(await openWith(false)).toBe(listedIn({ requireVerified: false }))
})

test('help needs no database', async () => {
  const general = await servers(['--help'], {})
  expect(general).toMatchObject({ code: 0, err: [] })
  for (const command of ['add', 'import', 'list', 'remove']) expect(general.out).toContain(`  ${command} `)
  const { code, out } = await servers(['import', '--help'], {})
  expect(code).toBe(0)
  expect(out).toContain('npm run servers -- import <file>')
  expect(await servers([], {})).toMatchObject({ code: 2 })
})

describe('database', () => {
  test('the running launcher’s is found under DATA_DIR', async () => {
    const dataDir = path.join(folder, 'data')
    fs.mkdirSync(dataDir)
    fs.writeFileSync(path.join(dataDir, 'database-url'), `${url}\n`, { mode: 0o600 })
    expect(await servers(['list'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: ['0 servers'] })
  })

  test('without one, or with one that does not answer, the command says what to do', async () => {
    expect(await servers(['list'], {})).toEqual({
      code: 1,
      out: '',
      err: ['servers: no database: start the directory with `npm start`, or set DATABASE_URL'],
    })
    const { code, err } = await servers(['list'], { DATABASE_URL: 'postgres://owner@localhost:1/none' })
    expect(code).toBe(1)
    expect(err).toEqual([expect.stringMatching(/^servers: the database can’t be reached: .*ECONNREFUSED/)])
    const unmigrated = await servers(['list'], { DATABASE_URL: url.replace(/[^/]*$/, 'postgres') })
    expect(unmigrated.err).toEqual(['servers: the database is not migrated: run `npm run migrate` first'])
    expect(await servers(['list'], { DATABASE_URL: 'mysql://x' })).toMatchObject({
      code: 1,
      err: [expect.stringContaining('bad setting: DATABASE_URL')],
    })
  })
})

describe('import of CSV', () => {
  test('good rows are kept, and each bad one is reported with its line, field and rule', async () => {
    await servers('add --address 10.0.0.9 --query-port 27015'.split(' '))
    const { code, out, err, names } = await importing(
      'mixed.csv',
      [
        '\uFEFFname,ipAddress,gamePort,queryPort,game,tags,description,colour',
        'Good one,10.0.0.1,7777,27015,ase,"a,b","Says ""hi"", twice",red',
        '',
        'ab,10.0.0.2,7777,27015,ase,,,',
        'Two lines,10.0.0.3,7777,27015,ase,,"first',
        'second",',
        'Bad port,10.0.0.4,77777,27015,ase,,,',
        'Bad address,10.0.0.04,7777,27015,ase,,,',
        'Bad both,nowhere!,seven,27015,ase,,,',
        'Good one again,10.0.0.1,7777,27015,ase,,,',
        'Listed before,10.0.0.9,7777,27015,ase,,,',
        'Short row,10.0.0.5',
        'Long row,10.0.0.6,7777,27015,ase,,,,surplus',
        'No such game,10.0.0.7,7777,27015,chess,,,',
        ',,,,,,,',
        'Usual port,10.0.0.8,7777,,,,,',
        '',
      ].join('\r\n'),
    )
    expect(err).toEqual([
      'warning: unknown column "colour" is ignored (first in line 2)',
      'line 4: name: must have at least 3 characters',
      'line 7: gamePort: must be from 1 to 65535',
      'line 8: ipAddress: must be an IPv4 or IPv6 address or a DNS name',
      'line 9: ipAddress: must be an IPv4 or IPv6 address or a DNS name; gamePort: must be a whole number',
      'line 10: ipAddress and queryPort are already those of line 2',
      expect.stringMatching(/^line 11: ipAddress and queryPort are already those of server [0-9a-f-]{36}$/),
      'line 12: has 2 cells, but the header has 8',
      'line 13: has 9 cells, but the header has 8',
      'line 14: game: must be a gamedig type id; did you mean css (Counter-Strike: Source), chaser (Chaser), or crysis (Crysis)?',
    ])
    expect(out).toBe('12 rows read: 3 added, 9 refused\n')
    expect(code).toBe(1)
    expect(names).toEqual(['10.0.0.9:7777', 'Good one', 'Two lines', 'Usual port'])
    const { rows } = await pool.query(
      `select tags, description, query_port from servers where name <> '10.0.0.9:7777' order by id`,
    )
    expect(rows).toEqual([
      { tags: ['a', 'b'], description: 'Says "hi", twice', query_port: 27015 },
      { tags: [], description: 'first\nsecond', query_port: 27015 },
      { tags: [], description: '', query_port: 27015 },
    ])
  })

  test('a file of good rows ends with 0, and again adds nothing', async () => {
    const csv = 'name,ipAddress,gamePort\nAlpha,10.0.0.1,7777\nBeta,10.0.0.2,7777'
    expect(await importing('good.csv', csv)).toEqual({
      code: 0,
      out: '2 rows read: 2 added, 0 refused\n',
      err: [],
      names: ['Alpha', 'Beta'],
    })
    expect(await importing('good.csv', csv)).toMatchObject({ code: 1, out: '2 rows read: 0 added, 2 refused\n' })
  })

  test('an unclosed quote is reported; rows before it are kept', async () => {
    const { code, err, out, names } = await importing(
      'quote.csv',
      'name,ipAddress,gamePort\nAlpha,10.0.0.1,7777\n"Beta,10.0.0.2,7777\nGamma,10.0.0.3,7777\n',
    )
    expect(err).toEqual(['servers: a quote after line 2 is never closed: nothing after it was read'])
    expect(out).toBe('1 rows read: 1 added, 0 refused\n')
    expect(names).toEqual(['Alpha'])
    expect(code).toBe(1)
  })

  test('text that is not UTF-8 is refused', async () => {
    const { err, names } = await importing(
      'latin1.csv',
      Buffer.from('name,ipAddress,gamePort\nCaf\xe9 du coin,10.0.0.1,7777\nPlain,10.0.0.2,7777\n', 'latin1'),
    )
    expect(err).toEqual(['line 2: name: must be UTF-8 text'])
    expect(names).toEqual(['Plain'])
  })

  test('a header without rows is valid', async () => {
    expect(await importing('none.csv', 'name,ipAddress,gamePort\n')).toMatchObject({
      code: 0,
      out: '0 rows read: 0 added, 0 refused\n',
    })
  })
})

describe('import of JSON', () => {
  test('bad rows of an array are counted from 1', async () => {
    const { code, err, out, names } = await importing(
      'array.json',
      `\uFEFF${JSON.stringify([
        { name: 'Alpha', ipAddress: '10.0.0.1', gamePort: 7777, tags: ['a', 'b'], region: null },
        { name: 'Beta', ipAddress: '10.0.0.2', gamePort: '7777', queryPort: '27016', website: 'ftp://x', players: 3 },
        'Gamma',
        { ipAddress: '10.0.0.4', gamePort: 7777 },
        { name: 7, ipAddress: '10.0.0.5', gamePort: 7777 },
        { name: 'Delta', ipAddress: '10.0.0.6', gamePort: '7777', queryPort: ' 27016 ' },
      ])}`,
    )
    expect(err).toEqual([
      'warning: unknown column "players" is ignored (first in row 2)',
      'row 2: website: must be an http or https URL',
      'row 3: must be an object',
      'row 4: name: is required',
      'row 5: name: must be a string',
    ])
    expect(out).toBe('6 rows read: 2 added, 4 refused\n')
    expect(names).toEqual(['Alpha', 'Delta'])
    expect(code).toBe(1)
  })

  test('one object a line, with a line that is not one', async () => {
    const { code, err, names } = await importing(
      'lines.json',
      '\uFEFF{"name":"Alpha","ipAddress":"10.0.0.1","gamePort":7777}\r\n\r\n{"name":\r\n{"name":"Beta","ipAddress":"10.0.0.2","gamePort":7777}\r\n',
    )
    expect(err).toEqual([expect.stringMatching(/^line 3: is not JSON: /)])
    expect(names).toEqual(['Alpha', 'Beta'])
    expect(code).toBe(1)
  })
})

test('a missing file, and a folder, are refused with one line', async () => {
  for (const file of ['nowhere.csv', '.']) {
    const { code, err } = await servers(['import', file])
    expect(err).toEqual([expect.stringMatching(/^servers: .* can’t be read: E/)])
    expect(code).toBe(1)
  }
})

test('importing 20,000 rows shows progress and the right totals', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => {
    const address = `10.1.${n >> 8}.${n & 255}`
    return n % 1_000 === 999 ? `x,${address},7777` : `Server ${n},${address},7777`
  })
  const { code, out, err } = await importing('many.csv', `name,ipAddress,gamePort\n${rows.join('\n')}\n`)
  expect(out).toBe('20000 rows read: 19980 added, 20 refused\n')
  expect(err.filter((line) => line.startsWith('line '))).toHaveLength(20)
  expect(err).toContain('line 1001: name: must have at least 3 characters')
  expect(err.filter((line) => line.includes(' %: '))).toEqual([
    expect.stringMatching(/^\d+ %: 9,990 added, 10 refused$/),
    '100 %: 19,980 added, 20 refused',
  ])
  expect(code).toBe(1)
  const counts = await pool.query(
    `select (select count(*) from servers) as servers, (select count(*) from server_polls) as polls`,
  )
  expect(counts.rows).toEqual([{ servers: 19_980, polls: 19_980 }])
})
