// `servers discover`: runs a source now, or prints what it would list.
import {
  type RunResult,
  recordRunFailure,
  recordRunResult,
  recordRunStart,
} from '../../src/features/discovery/index.ts'
import { withPort } from '../../src/platform/public-address.ts'
import { runSource } from '../../workers/discovery/run.ts'
import { sourceOf } from '../../workers/discovery/sources.ts'
import { createAskServer } from '../../workers/polling/query.ts'
import { createQueryPool } from '../../workers/polling/query-pool.ts'
import { resolverFor } from '../../workers/polling/target-address.ts'
import { CommandError, defineCommand } from '../command.ts'
import { withServers } from './context.ts'

export const discover = defineCommand({
  help: `npm run servers -- discover <source> [--dry-run]

Asks a source for game servers and lists those that are not listed yet. The setting DISCOVER need not name the source.
docs/SOURCES.md describes all sources.

  --dry-run   changes nothing: prints the servers that would be listed, with game, address and game port, query port, name
`,
  options: { 'dry-run': { type: 'boolean' } },
  arguments: ['source'],
  run: ([name], { 'dry-run': isDry }) =>
    withServers(async ({ settings, pool }) => {
      const source = sourceOf(name, settings)
      if (!source) throw new CommandError(`no source is called ${name}; docs/SOURCES.md lists them`, 2)
      const queries = createQueryPool({ concurrency: 20, perAddress: 1, spacingMs: 200 })
      const resolve = resolverFor(settings)
      const options = {
        pool,
        resolve,
        ask: createAskServer({ pool: queries, resolve }),
        pollWithinSeconds: settings.POLL_INTERVAL_SECONDS,
      }
      const { signal } = new AbortController()
      try {
        if (isDry) {
          process.stderr.write(
            summaryOf(await runSource(source, { ...options, preview: print }, signal), 'would be listed'),
          )
          return 0
        }
        await recordRunStart(pool, name)
        const result = await runSource(source, options, signal)
        await recordRunResult(pool, name, result)
        process.stderr.write(summaryOf(result, 'listed'))
        return 0
      } catch (error) {
        const { message } = error as Error
        if (!isDry) await recordRunFailure(pool, name, message, source.intervalSeconds)
        throw new CommandError(`${name}: ${message}`, 1, error)
      } finally {
        queries.close()
      }
    }),
})

type Listed = Parameters<NonNullable<Parameters<typeof runSource>[1]['preview']>>[0]

function print({ game, ipAddress, gamePort, queryPort, name }: Listed): void {
  const address = withPort(ipAddress, gamePort).padEnd(28)
  process.stdout.write(`${game.padEnd(14)}  ${address}  ${String(queryPort).padStart(5)}  ${name}\n`)
}

function summaryOf({ found, added, returned, refused }: RunResult, verb: string): string {
  const reasons = Object.entries(refused).map(([reason, count]) => `${reason} ${count}`)
  const refusals = reasons.length ? `; not: ${reasons.join(', ')}` : ''
  return `${found} found, ${added} new and ${returned} returned ones ${verb}${refusals}\n`
}
