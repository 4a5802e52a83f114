// The Node version that the tests run on, and the options that the product's processes get.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROGRAMS } from '../../commands/start/programs.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('tests run on Node 24, even if another version is installed', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

/** The modules that the image names to compile, for the API and for all else. */
function compiledByImage(): string[][] {
  const dockerfile = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  return [...dockerfile.matchAll(/for \(const file of \[(.*?)\]\)/g)].map(
    ([, list]) => list?.split(', ').map((name) => name.slice(1, -1)) ?? [],
  )
}

it('the image compiles files that exist', () => {
  const files = compiledByImage().flat()
  expect(files).toContain('src/main.ts')
  expect(files.filter((file) => !file.startsWith('src/generated/') && !fs.existsSync(path.join(root, file)))).toEqual(
    [],
  )
})

const IMPORT = /^(?:import|export)(?! type\b)[^'"]*'(\.{1,2}\/[^']+\.ts)'/gm
const DYNAMIC_IMPORT = /(?<!typeof )\bimport\('(\.{1,2}\/[^']+\.ts)'\)/g

it.each([
  ['the API', 'src/main.ts'],
  ['all else', 'workers/main.ts'],
])(
  'the image compiles for %s what is imported later, too: a module that is missing loads the compiler',
  (_for, entry) => {
    const compiled = new Set(compiledByImage().find((files) => files.includes(entry)))
    const later = new Set<string>()
    // A set's iteration includes what is added meanwhile.
    for (const file of compiled) {
      if (file.startsWith('src/generated/')) continue
      const source = fs.readFileSync(path.join(root, file), 'utf8')
      const imported = (pattern: RegExp) =>
        [...source.matchAll(pattern)].map(([, name = '']) => path.join(path.dirname(file), name))
      for (const module of imported(IMPORT)) compiled.add(module)
      for (const module of imported(DYNAMIC_IMPORT)) later.add(module)
    }
    expect(later).toContain('src/deps.ts')
    expect([...later.difference(compiled)]).toEqual([])
  },
)

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
