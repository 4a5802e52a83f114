import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isRunning, temporaryFolder, tryKill } from './support/start-launcher.ts'

it('a test run that is killed leaves neither its server nor its folder', async () => {
  const folder = path.join(temporaryFolder(), 'server')
  fs.mkdirSync(folder)
  const server = spawn('sleep', ['60'], { stdio: 'ignore' })
  const pid = server.pid ?? 0
  onTestFinished(() => tryKill(pid))
  const module = JSON.stringify(path.join(import.meta.dirname, '../support/end-with-this-process.ts'))
  const script = `const { endWithThisProcess } = await import(${module}); endWithThisProcess(${pid}, ${JSON.stringify(folder)}); console.log('watched')`
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(run.stdout, 'data')
  expect(isRunning(pid)).toBe(true)
  run.kill('SIGKILL')
  await vi.waitFor(
    () => {
      expect(isRunning(pid)).toBe(false)
      expect(fs.existsSync(folder)).toBe(false)
    },
    { timeout: 20_000 },
  )
})
