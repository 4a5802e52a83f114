// Follows docs/ENDPOINT.md in a copy of the tree: its blocks are applied as written, and its commands pass.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Not copied: what git ignores but the build makes is. */
const LEFT_OUT = ['.git', '.data', 'node_modules']
const TYPES = ['examples/client/api.d.ts', 'src/features/site/api.d.ts']

interface Block {
  /** The last file that the text names before it. */
  file: string
  language: string
  code: string
}

/** The blocks of a document, in order, without the indentation of its list. */
function blocksOf(document: string): Block[] {
  let file = ''
  return [...document.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$|`([\w./-]+\/[\w.-]+\.ts)`/gm)].flatMap((match) => {
    const [, indent = '', language, code = '', named] = match
    if (named !== undefined) file = named
    return language === undefined ? [] : [{ file, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }]
  })
}

/** Code goes to the end of the file; each part of a difference replaces the only place that has its old lines. */
function changed(before: string, { file, language, code }: Block): string {
  if (language === 'ts') return `${before}\n${code}`
  return code.split(/^@@\n/m).reduce((text, part) => {
    const linesWithout = (sign: string) =>
      part.replaceAll(new RegExp(`^[${sign}].*\n`, 'gm'), '').replaceAll(/^./gm, '')
    const [old, replacement] = [linesWithout('+'), linesWithout('-')]
    expect(text.split(old), `places in ${file} with these lines:\n${old}`).toHaveLength(2)
    return text.replace(old, () => replacement)
  }, before)
}

function copyTree(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-endpoint-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  for (const name of fs.readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

test('the endpoint of docs/ENDPOINT.md passes its checks and tests as it is written there', {
  timeout: 600_000,
}, async ({ signal }) => {
  const blocks = blocksOf(fs.readFileSync(path.join(ROOT, 'docs/ENDPOINT.md'), 'utf8'))
  expect(blocks.map(({ language }) => language)).toEqual(['ts', 'ts', 'diff', 'ts', 'diff', 'sh'])
  const changes = blocks.slice(0, -1)
  const files = changes.map(({ file }) => file)
  const folder = copyTree()
  for (const block of changes) {
    const file = path.join(folder, block.file)
    fs.writeFileSync(file, changed(fs.readFileSync(file, 'utf8'), block))
  }

  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH: `${path.join(folder, 'node_modules/.bin')}:${PATH}`, HOME, TMPDIR, NO_COLOR: '1' }
  /** @throws Error with the output */
  const run = (command: string) =>
    promisify(execFile)('sh', ['-c', command], { cwd: folder, env, signal }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`${command}\n${stdout}${stderr}`)
      },
    )

  const { code: commands = '' } = blocks.at(-1) ?? {}
  for (const command of ['biome check', 'npm run examples:types', 'npm run check', 'npm test'])
    expect(commands).toContain(command)
  const [sources, tests] = ['src/', 'test/'].map((top) => files.filter((file) => file.startsWith(top)).join(' '))
  const added = 'matches the served document|count is of the caller|every operation|favorites/count'
  expect(await run(`npm run -s examples:types -- ${tests} -t '${added}'`)).toMatch(/Tests +\d+ passed/)
  for (const file of TYPES)
    expect(fs.readFileSync(path.join(folder, file), 'utf8')).toContain('"/user/favorites/count"')
  // The parts of `npm run check` that see the change.
  const compilerOptions = { incremental: false, tsBuildInfoFile: null }
  const project = { extends: './tsconfig.json', compilerOptions, include: ['src/features/favorites'] }
  fs.writeFileSync(path.join(folder, 'tsconfig.walk.json'), JSON.stringify(project))
  await run('node node_modules/typescript-7/bin/tsc -p tsconfig.walk.json')
  await run(`biome check ${sources} ${tests}`)
  await run('depcruise src/features/favorites --config .dependency-cruiser.cjs')
})
