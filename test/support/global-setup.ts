// Starts one embedded PostgreSQL for the whole run, with a migrated template database that each test file clones.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../src/migrate.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { startPostgres } from '../../tools/launcher/embedded-postgres.ts'
import { endWithThisProcess } from './end-with-this-process.ts'
import { verifyStatements } from './statements/verify.ts'

export const TEMPLATE = 'directory_template'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-test-'))
  const watcher = endWithThisProcess(folder)
  const postgres = await startPostgres({
    folder,
    database: TEMPLATE,
    // The cluster lives for this run only, so it does not need to sync to disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
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
  project.provide('postgresUrl', postgres.url('postgres'))
  project.provide('statementsFolder', statements)
  return async () => {
    try {
      await verifyStatements(statements, postgres.url())
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
