// `npm run backup`, `npm run restore` and the like as an operator runs them, and databases to run them on.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { readBackup } from '../../commands/backup/format.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { testLog } from './database.ts'
import { NODE_ARGS } from './node.ts'

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
}

/** Begins a command. `DATABASE_URL` or `DATA_DIR` is given in `env`. */
export function begin(
  command: 'adopt' | 'backup' | 'queues' | 'restore',
  args: string[],
  env: Record<string, string>,
  nodeArgs: string[] = [],
) {
  const child = spawn(process.execPath, [...NODE_ARGS, ...nodeArgs, `commands/${command}/main.ts`, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
    })
  const ended = new Promise<Ran>((resolve) => child.once('close', (code, signal) => resolve({ code, signal, out })))
  return { child, ended, output: () => out }
}

export const backup = (file: string, url: string) => begin('backup', [file], { DATABASE_URL: url }).ended
export const restore = (file: string, url: string, ...args: string[]) =>
  begin('restore', [file, ...args], { DATABASE_URL: url }).ended

/** Name for a file that is removed with the test. */
export function temporaryFile(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-backup-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, name)
}

/** An empty database on the server of this address. */
export async function createEmptyDatabase(serverUrl: string): Promise<string> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, `create database ${name} template template0 encoding 'UTF8'`)
  onTestFinished(() => onServer(serverUrl, `drop database if exists ${name} with (force)`))
  return serverUrl.replace(/\/[^/]+$/, `/${name}`)
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/[^/]+$/, '/postgres') })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Closes its connections before it gives back what `work` returned: a restore wants to be alone. */
export async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, max: 3, applicationName: 'test', log: testLog })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Rows and checksum of each table in a backup, in its order. */
export async function contentOf(file: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  let table = ''
  for await (const part of readBackup(file)) {
    if (part.kind === 'table') table = part.table.table
    // pg-boss notes in `version` when its timers ran last, also while a restored database is prepared.
    if (part.kind === 'sum' && table !== 'pgboss.version') content[table] = `${part.sum.rows} ${part.sum.checksum}`
  }
  return content
}
