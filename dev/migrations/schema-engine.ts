#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The schema engine that `npx prisma migrate …` and `npx prisma db …` start: JSON-RPC over standard input and
// output, one message a line. Prisma would download a native program for this; here the engine of
// @prisma/schema-engine-wasm answers.
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { SchemaEngine, version } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { openConnections } from './adapter.ts'

/** The error codes of Prisma's protocol: an unreachable database, and the envelope of every engine error. */
const UNREACHABLE = 'P1001'
const ENGINE_ERROR = 4466

interface Rpc {
  id?: number
  method?: string
  params?: object
}
type Method = (params?: object) => Promise<{ stdout?: string | null } | undefined>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' } },
})
const { url = '' } = JSON.parse(String(values.datasource ?? '{}')) as { url?: string }

if (process.argv.includes('--version')) process.stdout.write(`schema-engine-wasm ${version()}\n`)
else if (positionals.includes('can-connect-to-database')) process.exitCode = await canConnect()
else await answerRequests()

/** Prisma reads the exit code, and from standard error a JSON line after one line that it skips. */
async function canConnect(): Promise<0 | 1> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return 0
  } catch (error) {
    const message = error instanceof Error && error.message ? error.message : String(error)
    const fields = { error_code: UNREACHABLE, message }
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`)
    return 1
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function answerRequests(): Promise<void> {
  // The engine reports a panic through this global; without it the panic is hidden by a TypeError.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => process.stderr.write(`${message}\n`) },
  })
  const connections = openConnections(url)
  const engine = await SchemaEngine.new(
    { datamodels: schemaFiles() },
    () => undefined, // its log; errors are thrown
    bindMigrationAwareSqlAdapterFactory(connections.factory),
  )
  const methods = engine as unknown as Record<string, Method>
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line) as Rpc
    if (method === undefined || id === undefined) continue // the reply to a `print` request
    try {
      const result = await methods[method === 'getDatabaseVersion' ? 'version' : method]?.call(engine, params)
      if (result?.stdout) send({ id: 0, method: 'print', params: { content: result.stdout } })
      send({ id, result: result ?? null })
    } catch (thrown) {
      const { message, code, meta } = thrown as { message: string; code?: string; meta?: object } // a plain object
      send({ id, error: { code: ENGINE_ERROR, message, data: { is_panic: false, message, error_code: code, meta } } })
    }
  }
  await connections.close()
}

function schemaFiles(): [name: string, content: string][] {
  const given = values.datamodels as string[] | undefined
  const files = given ?? [path.resolve(import.meta.dirname, '../../prisma/schema.prisma')]
  return files.map((file) => [path.basename(file), fs.readFileSync(file, 'utf8')])
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
