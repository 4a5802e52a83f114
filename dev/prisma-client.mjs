// Run by `npm install`: generates the database client (src/generated) from prisma/schema.prisma. An install without
// development packages has no generator and needs the generated folder from elsewhere (see Dockerfile).
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync('node_modules/prisma')) {
  const { status } = spawnSync('node_modules/.bin/prisma', ['generate', '--no-hints'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.exitCode = status ?? 1
}
