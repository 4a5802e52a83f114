// A setup file of vitest, which loads it again for each test file: the recorder itself is loaded once per process, or
// each file would wrap the queries once more.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { endFile } from '../at-file-end.ts'
import { takeRecords } from './record.ts'

afterAll(async () => {
  await endFile()

  const lines = takeRecords().map((recorded) => JSON.stringify(recorded))
  if (lines.length)
    fs.appendFileSync(path.join(inject('statementsFolder'), `${process.pid}.jsonl`), `${lines.join('\n')}\n`)
})
