// Reads the product's SQL for parameters that have to be counted.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

it('a statement of more than five parameters names them', () => {
  const files = fs.globSync('{src,workers}/**/*.ts', { cwd: ROOT })
  const counted = files.filter((file) => /\$([6-9]|[1-9]\d)\b/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(counted, 'write these statements with `namedParameters`').toEqual([])
})
