// A process whose launcher is gone.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { PRELOAD } from '../../commands/start/programs.ts'

const STAND_IN = path.join(import.meta.dirname, 'support/stand-in.ts')

it.each([[[]], [['log-last']]])(
  'it stops by itself, even when its output has no reader any more %j',
  async (habits) => {
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', PRELOAD, STAND_IN, 'PORT', ...habits], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let ended = false
    child.once('exit', () => {
      ended = true
    })
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.ok)
    await vi.waitFor(async () => expect(await ready()).toBe(true), { timeout: 20_000 })
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.disconnect()
    await vi.waitFor(() => expect(ended).toBe(true), { timeout: 20_000 })
  },
)
