// Settings of `npx prisma …`. It uses the installed WebAssembly schema engine, so nothing is downloaded.
import path from 'node:path'
import { defineConfig } from 'prisma/config'

process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve(import.meta.dirname, 'dev/migrations/schema-engine.ts')

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
