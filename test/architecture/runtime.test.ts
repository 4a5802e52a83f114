// The Node version that the tests run on, and the options that the product's processes get.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROGRAMS } from '../../commands/start/programs.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('tests run on Node 24, even if another version is installed', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

it('the image compiles files that exist', () => {
  const dockerfile = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  const lists = [...dockerfile.matchAll(/for \(const file of \[(.*?)\]\)/g)].map(([, list]) => list?.split(', ') ?? [])
  const files = lists.flat().map((name) => name.slice(1, -1))
  expect(files).toContain('src/main.ts')
  expect(files.filter((file) => !file.startsWith('src/generated/') && !fs.existsSync(path.join(root, file)))).toEqual(
    [],
  )
})

it('every way to start the API starts it with the options of node-api.sh', () => {
  const starts = [
    ['package.json', /"start:api": "exec commands\/node-api\.sh .*src\/main\.ts"/],
    ['Dockerfile', /^CMD \["commands\/node-api\.sh", "src\/main\.ts"\]/m],
    ['Dockerfile', /^RUN commands\/node-api\.sh --input-type=module/m], // fills the cache of compiled code, which depends on them
    ['docker-compose.yml', /command: \[commands\/node-api\.sh, src\/main\.ts\]/],
    [
      'ops/systemd/server-directory-api.service',
      /^ExecStart=\/opt\/server-directory\/commands\/node-api\.sh src\/main\.ts/m,
    ],
    ['ops/kubernetes/base/api.yaml', /args: \[commands\/node-api\.sh, src\/main\.ts\]/],
  ] as const
  for (const [file, pattern] of starts) expect(fs.readFileSync(path.join(root, file), 'utf8')).toMatch(pattern)
  expect(path.relative(root, PROGRAMS.api[0])).toBe('commands/node-api.sh')
})
