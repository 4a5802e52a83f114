// Parsing import files: rows are complete and have the right line number, however the stream is split.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openRows } from '../../commands/servers/rows.ts'
import { type Row, readCsv, toInput } from '../../src/features/listing-files/index.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'servers-rows-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function read(name: string, content: string | Buffer): Promise<Row[]> {
  const file = path.join(folder, name)
  fs.writeFileSync(file, content)
  const { rows, fraction } = await openRows(file)
  const all = await Array.fromAsync(rows)
  expect(fraction()).toBe(1)
  return all
}

test.each([
  ['empty.csv', '', 'is empty'],
  ['bom.csv', '\uFEFF\r\n', 'is empty'],
  [
    'no-header.csv',
    'Alpha,10.0.0.1,7777\n',
    'needs a first line with comma-separated column names; missing: name, ipAddress',
  ],
  [
    'semicolon.csv',
    'name;ipAddress;gamePort\nAlpha;10.0.0.1;7777\n',
    'needs a first line with comma-separated column names; missing: name, ipAddress',
  ],
  ['twice.csv', 'name,ipAddress,gamePort,name\n', 'has column name twice'],
  ['text.json', 'hello', 'is not JSON: it must be an array of servers, or one object per line'],
  ['cut.json', '[{"name":', 'is not JSON: '],
  ['blank.json', '  \n', 'is empty'],
])('%s is refused with one line that says why', async (name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(`${path.join(folder, name)} ${message}`)
})

test('the content decides the format when the file’s name does not', async () => {
  const rows = [{ place: expect.any(String), values: { name: 'A', ipAddress: 'b', gamePort: '1' } }]
  expect(await read('one', 'name,ipAddress,gamePort\nA,b,1\n')).toEqual(rows)
  expect(await read('two', '[{"name":"A","ipAddress":"b","gamePort":"1"}]')).toEqual(rows)
  expect(await read('three', '{"name":"A","ipAddress":"b","gamePort":"1"}')).toEqual(rows)
})

describe('CSV', () => {
  const csv = (chunks: Buffer[]) => readCsv(Readable.from(chunks), 'file.csv')

  test('any cells, line ends and chunks give the same rows and first lines', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '日', '"', ',', '\n', ' ', ';'), maxLength: 6 })
    const record = fc.tuple(cell, cell, fc.constantFrom('1', '2'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (records, lineEnd, withMark, size) => {
          const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
          const lines = ['name,ipAddress,gamePort', ...records.map((cells) => cells.map(quote).join(','))]
          const bytes = Buffer.from((withMark ? '\uFEFF' : '') + lines.join('\n').replaceAll('\n', lineEnd))
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.subarray(n * size, (n + 1) * size),
          )
          let line = 2
          const expected = records.map(([name, ipAddress, gamePort]) => {
            const place = `line ${line}`
            line += 1 + `${name}${ipAddress}`.split('\n').length - 1
            return { place, values: { name, ipAddress, gamePort } }
          })
          expect(await Array.fromAsync(csv(chunks))).toEqual(expected)
        },
      ),
    )
  })

  test('rows before an unclosed quote are yielded before the error', async () => {
    const rows: Row[] = []
    const text = `name,ipAddress,gamePort\n${'Alpha,10.0.0.1,7777\n'.repeat(500)}"Beta,10.0.0.2,7777\n`
    const reading = (async () => {
      for await (const row of csv([Buffer.from(text)])) rows.push(row)
    })()
    await expect(reading).rejects.toThrow('a quote after line 501 is never closed')
    expect(rows).toHaveLength(500)
  })

  test('an unclosed quote does not buffer a whole large file', async () => {
    async function* endless() {
      yield Buffer.from('name,ipAddress,gamePort\n"')
      for (let n = 0; n < 1_000; n++) yield Buffer.alloc(65_536, 'a')
      throw new Error('all of it was read')
    }
    await expect(Array.fromAsync(readCsv(Readable.from(endless()), 'file.csv'))).rejects.toThrow(
      'a quote after line 1 is never closed',
    )
  })

  test('an error of the source is reported', async () => {
    async function* broken() {
      yield Buffer.from('name,ipAddress,gamePort\nA,b,1\n')
      throw new Error('disk gone')
    }
    await expect(Array.fromAsync(readCsv(Readable.from(broken()), 'file.csv'))).rejects.toThrow('disk gone')
  })
})

test('a truth value of any type is left to the rules of listings', () => {
  for (const nameFromServer of [true, 1, ['true'], { toString: 1, valueOf: 1 }])
    expect(toInput({ nameFromServer })).toEqual({ nameFromServer })
  expect(toInput({ nameFromServer: ' TRUE ' })).toEqual({ nameFromServer: true })
})
