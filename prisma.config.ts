// Settings of `npx prisma …`. Its schema engine is the WebAssembly one that is installed with the packages, so nothing is downloaded.
import path from 'node:path'
import { defineConfig } from 'prisma/config'

process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve(import.meta.dirname, 'tools/migrations/schema-engine.ts')

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
