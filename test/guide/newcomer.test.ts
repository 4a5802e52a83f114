// Runs the guide's commands from the start to an API key, against the real processes.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { createTestDatabase } from '../support/database.ts'
import { guideBlocks, isShellMissing, runBlocks } from '../support/guide.ts'
import { startProcess } from '../support/processes.ts'

const SIMULATOR = 'npx node dev/simulator/main.ts'

/** The game server, for which the guide uses another terminal, runs in the background. */
const inBackground = (block: string) =>
  block.startsWith(SIMULATOR)
    ? `stop_game\n${block.replace('npx node', 'exec_game').trim()} > /dev/null & GAME=$!\n`
    : block
const PRELUDE = `GAME=
exec_game() { exec '${process.execPath}' "$@"; }
stop_game() { if [ -n "$GAME" ]; then kill "$GAME"; wait "$GAME" || true; GAME=; fi; }
trap stop_game EXIT`

test.skipIf(isShellMissing())(
  'the guide’s commands give a proven server and a valid key',
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-newcomer-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
    const { url } = await createTestDatabase()
    const api = await startProcess('src/main.ts', url)
    await startProcess('workers/main.ts', url, { DATA_DIR: folder })

    const output = await runBlocks(
      guideBlocks('newcomer').map(inBackground),
      {
        'http://localhost:3000': api.url,
        '27015': String(await freePort()),
        'cookies.txt': path.join(folder, 'cookies.txt'),
      },
      { prelude: PRELUDE },
    )

    expect(output.length).toBe(8)
    const [, entering = '', , polled = '', , verified = '', , called = ''] = output
    expect(entering.match(/"email":"me@example.com"/g)?.length).toBe(2)
    expect(JSON.parse(polled)).toMatchObject({ name: 'My island', isOnline: true, currentPlayers: 3 })
    expect(JSON.parse(verified)).toMatchObject({ status: 'verified' })
    expect(called).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(called).toMatch(/RateLimit-Policy: "?free"?;q=10;w=60/i)
    expect(called).toContain('"isVerified":true')
    expect(called).toMatch(/"servers":\[\{"id":"[^"]+","name":"My island","ipAddress":"127\.0\.0\.1"/)
    // The mail that verifies the address exists by now.
    await expect.poll(() => fs.readdirSync(folder)).toContain('mail')
  },
  90_000,
)
