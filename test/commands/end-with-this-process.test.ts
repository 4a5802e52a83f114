import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isRunning, isUsed, temporaryFolder, tryKill } from './support/start-launcher.ts'

it('a test run that is killed leaves neither its server nor its folder behind', async () => {
  const folder = path.join(temporaryFolder(), 'server')
  fs.mkdirSync(path.join(folder, 'postgres'), { recursive: true })
  const server = spawn('sleep', ['60'], { stdio: 'ignore' })
  const pid = server.pid ?? 0
  onTestFinished(() => tryKill(pid))
  fs.writeFileSync(path.join(folder, 'postgres/postmaster.pid'), `${pid}\n`)
  const module = JSON.stringify(path.join(import.meta.dirname, '../support/end-with-this-process.ts'))
  const script = `const { endWithThisProcess } = await import(${module}); endWithThisProcess(${JSON.stringify(folder)}); console.log('watched')`
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

it('a test run that is killed while its cluster is made leaves nothing', async () => {
  const folder = temporaryFolder()
  const at = (file: string) => JSON.stringify(path.join(import.meta.dirname, file))
  const script = `
    const { endWithThisProcess } = await import(${at('../support/end-with-this-process.ts')})
    const { startPostgres } = await import(${at('../../commands/start/embedded-postgres.ts')})
    endWithThisProcess(${JSON.stringify(folder)})
    await startPostgres({ folder: ${JSON.stringify(folder)}, database: 'directory' })`
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  await vi.waitFor(() => expect(fs.existsSync(path.join(folder, 'postgres/.making/base'))).toBe(true), {
    timeout: 20_000,
    interval: 5,
  })
  run.kill('SIGKILL')
  await vi.waitFor(
    () => {
      expect(isUsed(folder)).toBe(false)
      expect(fs.existsSync(folder)).toBe(false)
    },
    { timeout: 20_000 },
  )
})
