// The simulator's command line: invalid arguments, and demos that run on one machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { NODE_ARGS } from '../support/node.ts'

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...NODE_ARGS, 'dev/simulator/main.ts', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** @returns the servers it lists */
async function serving(
  args: string[],
  env?: Record<string, string>,
): Promise<{ ipAddress: string; queryPort: number }[]> {
  const [line] = await once(createInterface(start(args, env).stdout), 'line')
  return JSON.parse(line)
}

async function refused(args: string[], env?: Record<string, string>): Promise<[number, string]> {
  const child = start(args, env)
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    words += chunk
  })
  const [code] = await once(child, 'close')
  return [code, words]
}

it('refuses invalid arguments in one line', async () => {
  expect(await refused(['--nme', 'x'])).toEqual([2, "simulator: Unknown option '--nme'\n"])
  expect(await refused(['--name', 'x', '--port', '70000'])).toEqual([
    2,
    'simulator: --port must be a number from 0 to 65535\n',
  ])
})

it('a port in use is named', async () => {
  const [first] = await serving(['--name', 'x'])
  expect(await refused(['--name', 'x', '--port', String(first?.queryPort)])).toEqual([
    1,
    `simulator: UDP port ${first?.queryPort} on 127.0.0.1 is in use: another simulator uses it; stop that one first\n`,
  ])
})

it('a demo has the same servers each time, and others than the demo of another data folder', async ({ skip }) => {
  if (process.platform !== 'linux') {
    console.log('skipped: elsewhere than on Linux all demo servers are on one address')
    skip()
  }
  const one = { DATA_DIR: `/of-process-${process.pid}/one` }
  const other = { DATA_DIR: `/of-process-${process.pid}/other` }
  const servers = await serving(['--demo'], one)
  expect(servers).toHaveLength(50)
  const others = new Set((await serving(['--demo'], other)).map(({ ipAddress }) => ipAddress))
  expect(servers.filter(({ ipAddress }) => others.has(ipAddress))).toEqual([])
  expect(await refused(['--demo'], one)).toEqual([1, expect.stringContaining('is in use: another simulator uses it')])
})
