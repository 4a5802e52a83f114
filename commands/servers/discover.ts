// `servers discover`: runs a source now, or prints what it would list.
import { defineCommand } from '../command.ts'
import { withPool } from '../database.ts'

export const discover = defineCommand({
  help: `npm run servers -- discover <source> [--dry-run]

Asks a source for game servers and lists those that are not listed yet. The setting DISCOVER need not name the source.
docs/SOURCES.md describes all sources.

  --dry-run   changes nothing: prints the servers that would be listed, with game, address and game port, query port, name
`,
  options: { 'dry-run': { type: 'boolean' } },
  arguments: ['source'],
  run: ([name], { 'dry-run': isDry = false }) =>
    withPool(async (pool, settings) => {
      const { runSourceOnce } = await import('./run-source.ts')
      await runSourceOnce(name, { pool, settings, isDry })
      return 0
    }),
})
