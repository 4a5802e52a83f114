// Clients that generators make of the OpenAPI document: they compile, and work against the started API.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { EVERYTHING_OFFERED } from '../support/everything-offered.ts'
import { findProgram, isMissing } from '../support/installed.ts'

const RUNTIME = 'github.com/oapi-codegen/runtime'
const ROOT = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

let api: TestApi
let document = ''
let operations = 0
let serverId = ''
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'generated-clients-'))

beforeAll(async () => {
  api = await startTestApi({ settings: EVERYTHING_OFFERED })
  const { paths } = api.app.describe() as { paths: Record<string, object> }
  operations = Object.values(paths).flatMap((methods) => Object.keys(methods)).length
  document = path.join(folder, 'openapi.json')
  fs.writeFileSync(document, JSON.stringify(api.app.describe()))
  const servers = createServers(api.database)
  serverId = (await servers.add({ name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27_015 })).id
  await api.directory.refresh()
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** What each program prints of its calls, one JSON line. */
const EXPECTED = {
  listed: 'An island',
  total: 1,
  success: true,
  cooldown: 'vote_cooldown',
  missing: 'not_found',
  refused: 'limit',
  found: 1,
}

/** Runs a program that uses the client; as its arguments the API's address, a server and a visitor. */
async function use(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const { stdout } = await run(command, [...args, `${api.url}/api`, serverId, randomUUID()], options)
  return JSON.parse(stdout) as unknown
}

const linesBelow = (directory: string, extension: string): number =>
  fs
    .globSync(path.join(directory, '**', `*${extension}`))
    .reduce((sum, file) => sum + fs.readFileSync(file, 'utf8').split('\n').length - 1, 0)

it('TypeScript, by @hey-api/openapi-ts', async () => {
  const output = path.join(folder, 'typescript')
  await createClient({
    input: document,
    output: { path: path.join(output, 'client'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
  })
  fs.writeFileSync(path.join(output, 'package.json'), '{ "type": "module" }')
  fs.copyFileSync(path.join(import.meta.dirname, 'generated-clients/use.mts.txt'), path.join(output, 'use.ts'))
  const tsc = [
    ...[
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--module',
      'nodenext',
    ],
    ...['--target', 'es2024', '--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules/@types')],
  ]
  await run(process.execPath, [
    path.join(ROOT, 'node_modules/typescript-7/bin/tsc'),
    ...tsc,
    path.join(output, 'use.ts'),
  ])
  expect(await use(process.execPath, [path.join(output, 'use.ts')], { cwd: output })).toEqual(EXPECTED)
})

describe.skipIf(isMissing('go', 'oapi-codegen'))('Go, by oapi-codegen', () => {
  it('compiles, works, and has at most 300 lines an operation', { timeout: 300_000 }, async (context) => {
    const output = path.join(folder, 'go')
    fs.mkdirSync(output)
    const { stdout: cache } = await run('go', ['env', 'GOMODCACHE'])
    const versions = path.join(cache.trim(), 'cache/download', RUNTIME, '@v')
    const [version] = fs.globSync('*.zip', { cwd: versions }).map((file) => path.basename(file, '.zip'))
    if (!version) return context.skip(`${RUNTIME} is not in Go's module cache: build a module that imports it`)
    const generate = ['-generate', 'types,client', '-package', 'main', '-o', path.join(output, 'client.go'), document]
    await run('oapi-codegen', generate)
    fs.copyFileSync(path.join(import.meta.dirname, 'generated-clients/use.go'), path.join(output, 'use.go'))
    fs.writeFileSync(path.join(output, 'go.mod'), `module use\n\ngo 1.22\n\nrequire ${RUNTIME} ${version}\n`)
    const env = {
      ...process.env,
      GOPROXY: 'off',
      GOFLAGS: '-mod=mod',
      GONOSUMDB: '*',
      GONOSUMCHECK: '1',
      GOSUMDB: 'off',
    }
    await run('go', ['build', '-o', 'use', '.'], { cwd: output, env })
    expect(await use(path.join(output, 'use'), [], { cwd: output })).toEqual(EXPECTED)
    // 228 with nothing but successes described.
    expect(linesBelow(output, 'client.go') / operations).toBeLessThan(300)
  })
})

describe.skipIf(isMissing('openapi-python-client'))('Python, by openapi-python-client', () => {
  it('works, and has at most 340 lines an operation', async () => {
    const output = path.join(folder, 'python')
    const generator = fs.realpathSync(findProgram('openapi-python-client') ?? '')
    // Formats what it makes by ruff, which is installed beside it.
    const env = { ...process.env, PATH: `${path.dirname(generator)}:${process.env.PATH}` }
    await run(generator, ['generate', '--path', document, '--output-path', output], { env })
    const [, python = ''] = /^#!(.*)/.exec(fs.readFileSync(generator, 'utf8')) ?? []
    const script = path.join(import.meta.dirname, 'generated-clients/use.py')
    expect(await use(python, ['-W', 'error', script], { cwd: output, env: { ...env, PYTHONPATH: output } })).toEqual(
      EXPECTED,
    )
    // 310 with nothing but successes described.
    expect(linesBelow(output, '.py') / operations).toBeLessThan(340)
  })
})
