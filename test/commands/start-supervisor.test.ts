// How `npm start` supervises a process: ready, restarted, given up, stopped.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { startNode } from '../../commands/start/programs.ts'
import { type Backoff, type SupervisedProcess, supervise } from '../../src/platform/processes/supervisor.ts'
import { temporaryFolder } from './support/start-launcher.ts'

const STAND_IN = path.join(import.meta.dirname, 'support/stand-in.ts')
const QUICK: Backoff = { firstMs: 20, maxMs: 60, healthyMs: 60_000 }

async function superviseStandIn(habits: string[] = [], backoff = QUICK, given?: number) {
  const port = given ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const reports: string[] = []
  const lines: string[] = []
  const supervised = supervise(
    {
      name: 'stand-in',
      start: () => startNode([process.execPath, STAND_IN, 'PORT', ...habits], { ...process.env, PORT: String(port) }),
      ready: `${url}/readyz`,
    },
    {
      print: (name, line) => lines.push(`${name}: ${line}`),
      report: (line) => reports.push(line),
      backoff,
    },
  )
  onTestFinished(() => supervised.stop(0))
  return { supervised, url, reports, lines }
}

async function crash(supervised: SupervisedProcess, url: string): Promise<void> {
  const before = supervised.pid
  await fetch(`${url}/crash`).catch(() => {})
  await vi.waitFor(
    async () => {
      expect(supervised.pid).not.toBe(before)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    },
    { timeout: 20_000, interval: 20 },
  )
}

it('starts from a project folder whose name has characters that mean something in a URL', () => {
  const project = path.join(temporaryFolder(), '100%25 c#?')
  const root = path.resolve(import.meta.dirname, '../..')
  for (const part of ['commands', 'dev/sandbox'])
    fs.cpSync(path.join(root, part), path.join(project, part), { recursive: true })
  fs.writeFileSync(path.join(project, 'package.json'), '{"type":"module"}')
  const programs = pathToFileURL(path.join(project, 'commands/start/programs.ts')).href
  const startsNode = `
    const { PROGRAMS: { worker: [program, ...args] } } = await import(${JSON.stringify(programs)})
    const { spawnSync } = await import('node:child_process')
    process.exitCode = spawnSync(program, [...args.slice(0, -1), '--eval', ''], { stdio: 'inherit' }).status`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', startsNode], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})

it('is ready once the process answers, and forwards its output under its name', async () => {
  const { supervised, lines } = await superviseStandIn()
  await supervised.ready
  await vi.waitFor(() => expect(lines.join()).toContain('stand-in: {"level":"info"'))
})

it('is not ready when the process asks its primary something', async () => {
  const ready = vi.fn(async () => {})
  const start = () => startNode([process.execPath, STAND_IN, 'PORT', 'asks', 'fail=the port is in use'], process.env)
  const supervised = supervise({ name: 'stand-in', start, ready }, { report: () => {} })
  await expect(supervised.ready).rejects.toThrow('stand-in could not start: the port is in use')
  expect(ready).not.toHaveBeenCalled()
})

it('is ready when the process says so right after a question', async () => {
  const ready = vi.fn(async () => {})
  const start = () =>
    startNode([process.execPath, STAND_IN, 'PORT', 'ready-after-asking'], { ...process.env, PORT: '0' })
  const supervised = supervise({ name: 'stand-in', start, ready }, { report: () => {} })
  onTestFinished(() => supervised.stop(0))
  await supervised.ready
  expect(ready).toHaveBeenCalledWith('ready')
})

it('restarts a process that ended, after a growing delay up to a limit', async () => {
  const { supervised, url, reports } = await superviseStandIn()
  await supervised.ready
  for (let i = 0; i < 4; i++) await crash(supervised, url)
  const waits = reports.flatMap((line) => /exit code 3\); restarting it in ([\d.]+) s/.exec(line)?.[1] ?? [])
  expect(waits).toEqual(['0.02', '0.04', '0.06', '0.06'])
  await vi.waitFor(() => expect(reports).toContain('stand-in is ready again'))
})

it('resets the delay after a process was healthy for long enough', async () => {
  const { supervised, url, reports } = await superviseStandIn([], { ...QUICK, healthyMs: 0 })
  await supervised.ready
  for (let i = 0; i < 3; i++) await crash(supervised, url)
  const waits = reports.flatMap((line) => /restarting it in ([\d.]+) s/.exec(line)?.[1] ?? [])
  expect(waits).toEqual(['0.02', '0.02', '0.02'])
})

it('does not mistake another program on the port for its process', async () => {
  const { supervised: first, url } = await superviseStandIn()
  await first.ready
  const { supervised: second } = await superviseStandIn([], QUICK, Number(new URL(url).port))
  await expect(second.ready).rejects.toThrow(/stand-in could not start: .*EADDRINUSE/)
})

it('gives up a process that fails at its very first start, with its own message', async () => {
  const { supervised, reports } = await superviseStandIn(['fail=api: the port is cursed'])
  await expect(supervised.ready).rejects.toThrow('stand-in could not start: api: the port is cursed')
  expect(supervised.pid).toBeUndefined()
  expect(reports).toEqual([])
})

it('restarts a process that is killed before it was ready', async () => {
  const { supervised, reports } = await superviseStandIn(['never-ready'])
  await vi.waitFor(() => expect(supervised.pid).toBeDefined())
  process.kill(supervised.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(reports.join()).toContain('SIGKILL'))
})

it('lets a process drain when it stops', async () => {
  const { supervised, lines, reports } = await superviseStandIn()
  await supervised.ready
  await supervised.stop(20_000)
  expect(lines).toContain('stand-in: draining')
  expect(supervised.pid).toBeUndefined()
  expect(reports).toEqual([])
})

it('kills a process that does not stop in time', async () => {
  const { supervised, reports } = await superviseStandIn(['ignore-sigterm'])
  await supervised.ready
  const pid = supervised.pid ?? 0
  await supervised.stop(50)
  expect(reports).toEqual(['stand-in did not stop within 0.05 s and is killed'])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('stops at once while it waits to restart a process', async () => {
  const { supervised, url, reports } = await superviseStandIn([], { firstMs: 600_000, maxMs: 600_000, healthyMs: 1 })
  await supervised.ready
  await fetch(`${url}/crash`).catch(() => {})
  await vi.waitFor(() => expect(reports.length).toBe(1))
  await supervised.stop(20_000)
  expect(supervised.pid).toBeUndefined()
})
