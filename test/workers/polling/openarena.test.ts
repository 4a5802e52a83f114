// A real game server, Debian's openarena-server if installed: started on loopback, listed, polled, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { findProgram, isMissing } from '../../support/installed.ts'
import { openAsk } from './far-end.ts'
import { createTestDirectory, createTestPoller } from './support.ts'

const PROGRAM = 'openarena-server'
const ADDRESS = '127.84.0.1'
const missing = isMissing(PROGRAM)

let running: ChildProcess | undefined
let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-openarena-'))
})
afterAll(async () => {
  await stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The server refuses to run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

async function start(map: string): Promise<number> {
  fs.chmodSync(folder, 0o777)
  const port = await freePort()
  const settings: Record<string, string | number> = {
    dedicated: 1, // on the local network only: it contacts no master server
    net_enabled: 1,
    net_ip: ADDRESS,
    net_port: port,
    fs_homepath: folder,
    sv_maxclients: 12,
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`sv_master${n}`, ''])),
  }
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)])
  running = spawn(
    findProgram(PROGRAM) ?? PROGRAM,
    [...parameters, '+map', map, '+addbot', 'sarge', '+addbot', 'kyonshi'],
    {
      ...UNPRIVILEGED,
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH },
      stdio: 'ignore',
    },
  )
  return port
}

async function stop(): Promise<void> {
  const child = running
  running = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL') // it has no state worth saving
  await ended
}

describe.skipIf(missing)('a real OpenArena server', async () => {
  const directory = await createTestDirectory()

  it('shows its map and its bots, which are no players, while it runs, and is offline three cycles after it stopped', async () => {
    const port = await start('oa_dm1')
    const [id] = (await directory.list([{ address: ADDRESS, port, game: 'openarena' }])) as [string]
    const poller = createTestPoller(directory)
    await expect
      .poll(
        async () => {
          await poller.cycle()
          return directory.status(id)
        },
        { timeout: 60_000, interval: 500 },
      )
      .toMatchObject({ isOnline: true, map: 'oa_dm1', maxPlayers: 12, currentPlayers: 0 })
    expect((await directory.status(id)).version).not.toBe('undefined')
    expect(await openAsk()('openarena', { address: ADDRESS, port })).toMatchObject({
      players: 0,
      bots: 2,
      hasPassword: false,
    })

    await stop()
    for (const cycle of [1, 2, 3]) {
      await poller.cycle()
      expect(await directory.status(id)).toMatchObject({ isOnline: cycle < 3, consecutiveFailures: cycle })
    }
    expect(await directory.status(id)).toMatchObject({ currentPlayers: 0, map: 'oa_dm1' })
  }, 100_000)
})
