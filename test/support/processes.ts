// Starts the product's real processes on free ports for fault tests and ends them with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { NODE_ARGS } from './node.ts'

export interface RunningProcess {
  child: ChildProcess
  port: number
  url: string
  /** All output so far, of both streams. */
  output(): string
  running(): boolean
}

/** Starts `src/main.ts` or `workers/main.ts` and waits for its /readyz. `env` may set its port. Ends with the test. */
export async function startProcess(
  script: 'src/main.ts' | 'workers/main.ts',
  databaseUrl: string,
  env: Record<string, string> = {},
  node = process.execPath,
): Promise<RunningProcess> {
  const portSetting = script === 'src/main.ts' ? 'PORT' : 'WORKER_PORT'
  const port = Number(env[portSetting] ?? (await freePort()))
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-process-'))
  const child = spawn(node, [...NODE_ARGS, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      DATA_DIR: dataFolder,
      RATE_LIMIT_IP_PER_MINUTE: '0',
      VOTES_PER_ADDRESS_PER_DAY: '0',
      RATE_LIMIT_IP_PER_HOUR: '0',
      [portSetting]: String(port),
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const running = () => child.exitCode === null && child.signalCode === null
  onTestFinished(async () => {
    if (running()) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    fs.rmSync(dataFolder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 150_000 // enough for a missing database and a busy machine
  while (!(await answersOk(`${url}/readyz`))) {
    if (!running() || Date.now() > deadline) throw new Error(`${script} did not get ready:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { child, port, url, output: () => output, running }
}

async function answersOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )
}
