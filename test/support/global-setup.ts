// Starts one embedded PostgreSQL for the whole run, with a migrated template database that each test file clones.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { endWithThisProcess } from './end-with-this-process.ts'

export const TEMPLATE = 'directory_template'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-test-'))
  const watcher = endWithThisProcess(folder)
  const postgres = await startPostgres({
    folder,
    database: TEMPLATE,
    settings: {
      // The cluster lives for this run only, so it does not need to sync to disk.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      file_copy_method: 'clone', // by the system, in half the time
    },
  })
  const teardown = async () => {
    await postgres.stop()
    watcher.kill()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    await prepareDatabase({ DATABASE_URL: postgres.url() }, createLog('test', 'warn'))
  } catch (error) {
    await teardown() // a run that can't start must stop its server
    throw error
  }
  const statements = path.join(folder, 'statements')
  fs.mkdirSync(statements)
  project.provide('postgresUrl', postgres.url('postgres').replace(/\?.*$/, ''))
  project.provide('statementsFolder', statements)
  return async () => {
    try {
      const verify = path.join(import.meta.dirname, 'statements/verify.ts')
      const verifying = spawn(process.execPath, [verify, statements, postgres.url()], { stdio: 'inherit' })
      const [code] = await once(verifying, 'exit')
      if (code) throw new Error('SQL rows differ from their declaration, see above')
    } finally {
      await teardown()
    }
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    statementsFolder: string
  }
}
