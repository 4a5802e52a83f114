// The README's way from newcomer to API key, command by command as it stands there, against the real processes.
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { freePort, startProcess } from '../support/processes.ts'

const SIMULATOR = 'npx node tools/simulator/main.ts'
const missing = ['curl', 'sed', 'grep', 'sh'].filter((program) => !isInstalled(program))
if (missing.length) console.warn(`newcomer.test.ts skipped: ${missing.join(', ')} not found`)

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The section's blocks of shell commands. */
function blocks(): string[] {
  const readme = fs.readFileSync('README.md', 'utf8')
  const section = /<!-- newcomer:[^>]*-->([\s\S]*?)<!-- \/newcomer -->/.exec(readme)?.[1] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/** One script of all blocks: the game server, in a terminal of its own for people, goes on in the background. */
function scriptOf(parts: string[]): string {
  const steps = parts.map((part, n) => {
    const step = part.startsWith(SIMULATOR)
      ? `stop_game\n${part.replace('npx node', `exec_game`).trim()} > /dev/null & GAME=$!\n`
      : part
    return `echo '### ${n}'\n${step}`
  })
  return `set -eu
GAME=
exec_game() { exec '${process.execPath}' "$@"; }
stop_game() { if [ -n "$GAME" ]; then kill "$GAME"; wait "$GAME" || true; GAME=; fi; }
trap stop_game EXIT
${steps.join('\n')}`
}

test.skipIf(missing.length > 0)(
  'whoever follows the README has a proven server and a key that works',
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-newcomer-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
    const { url } = await createTestDatabase()
    const api = await startProcess('src/main.ts', url)
    await startProcess('workers/main.ts', url, { DATA_DIR: folder })

    const script = scriptOf(blocks())
      .replaceAll('http://localhost:3000', api.url)
      .replaceAll('27015', String(await freePort()))
      .replaceAll('cookies.txt', path.join(folder, 'cookies.txt'))
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { timeout: 60_000 })
    const output = stdout.split(/### \d+\n/).slice(1)

    expect(output.length).toBe(8)
    const [, entering = '', , polled = '', , verified = '', , called = ''] = output
    expect(entering.match(/"email":"me@example.com"/g)?.length).toBe(2)
    expect(JSON.parse(polled)).toMatchObject({ name: 'My island', isOnline: true, currentPlayers: 3 })
    expect(JSON.parse(verified)).toMatchObject({ status: 'verified' })
    expect(called).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(called).toMatch(/RateLimit-Policy: "?free"?;q=10;w=60/i)
    expect(called).toContain('"isVerified":true')
    expect(called).toMatch(/"servers":\[\{"id":"[^"]+","name":"My island","ipAddress":"127\.0\.0\.1"/)
    // The mail that proves the address has been written meanwhile.
    await expect.poll(() => fs.readdirSync(folder), { timeout: 10_000 }).toContain('mail')
  },
  90_000,
)
