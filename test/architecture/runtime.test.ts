// The Node version that the tests run on, and the options that the product's processes get.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROGRAMS } from '../../commands/start/programs.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('tests run on Node 24, even if another version is installed', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

/** The modules that the image compiles, for the API and for the worker. */
function compiledByImage(): string[] {
  const dockerfile = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  const lists = [...dockerfile.matchAll(/for \(const file of \[(.*?)\]\)/g)].map(([, list]) => list?.split(', ') ?? [])
  return lists.flat().map((name) => name.slice(1, -1))
}

it('the image compiles files that exist', () => {
  const files = compiledByImage()
  expect(files).toContain('src/main.ts')
  expect(files.filter((file) => !file.startsWith('src/generated/') && !fs.existsSync(path.join(root, file)))).toEqual(
    [],
  )
})

it('the image compiles what is only imported later, which would make a process load the compiler', () => {
  const files = fs
    .globSync('{src,workers}/**/*.ts', { cwd: root })
    .filter((file) => !file.startsWith('src/features/site/browser/'))
  const atStart = new Set<string>()
  const later = new Set<string>()
  for (const file of files)
    for (const [, prefix = '', name = ''] of fs
      .readFileSync(path.join(root, file), 'utf8')
      .matchAll(/(import\(|from )'(\.{1,2}\/[^']+\.ts)'/g))
      (prefix === 'from ' ? atStart : later).add(path.join(path.dirname(file), name))
  expect(later).toContain('src/deps.ts')
  expect([...later].filter((file) => !atStart.has(file) && !compiledByImage().includes(file))).toEqual([])
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
