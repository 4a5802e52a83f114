// The Node version that the tests run on, and the options that the product's processes get.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROGRAMS } from '../../tools/launcher/launch.ts'

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

it('every way to start the API gives Node the options that the launcher gives it', () => {
  const options = PROGRAMS.api.slice(0, PROGRAMS.api.indexOf('--import'))
  const starts = [
    ['package.json', /"start:api": .*? node (.*) --import/],
    ['Dockerfile', /^CMD \["node", (.*), "src\/main\.ts"\]/m],
    ['Dockerfile', /^RUN node (.*) --input-type=module/m], // fills the cache of compiled code, which depends on them
    ['docker-compose.yml', /command: \[node, (.*), src\/main\.ts\]/],
    ['ops/systemd/server-directory-api.service', /^ExecStart=\S+ (.*) src\/main\.ts/m],
    ['ops/kubernetes/base/api.yaml', /args: \[node, (.*), src\/main\.ts\]/],
  ] as const
  for (const [file, pattern] of starts) {
    const given = fs
      .readFileSync(path.join(root, file), 'utf8')
      .match(pattern)?.[1]
      ?.split(/[", ]+/)
      .filter(Boolean)
    expect([file, given]).toEqual([file, options])
  }
})
