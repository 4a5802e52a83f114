// A real PgBouncer in front of a test's database, where one is installed.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { findProgram } from './installed.ts'

/** Few connections, so that its clients have to share them. */
const CONNECTIONS = 4

/**
 * In transaction mode; ended with the test.
 * @param settings more of its settings, or others
 * @returns the database's address through it
 */
export async function startPgBouncer(databaseUrl: string, settings: Record<string, string> = {}): Promise<string> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const port = await freePort()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-pgbouncer-'))
  fs.chmodSync(folder, 0o755)
  const file = path.join(folder, 'pgbouncer.ini')
  const login = `user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`
  fs.writeFileSync(
    file,
    `[databases]
${database} = host=${hostname} port=${serverPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
max_client_conn = 500
${Object.entries({ pool_mode: 'transaction', default_pool_size: CONNECTIONS, ...settings })
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`,
  )
  const asRoot = process.getuid?.() === 0 ? ['-u', 'postgres'] : [] // it refuses to run as root
  const child = spawn(findProgram('pgbouncer') ?? 'pgbouncer', [...asRoot, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const up = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        if (output.includes('process up')) resolve('up')
      })
  })
  if ((await Promise.race([up, ended])) !== 'up') throw new Error(`pgbouncer does not start:\n${output}`)
  return `postgres://anybody@127.0.0.1:${port}/${database}`
}
