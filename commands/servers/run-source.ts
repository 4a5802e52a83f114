// What `servers discover` does. A file of its own, because it loads the programs that ask game servers.
import {
  type RunResult,
  recordRunFailure,
  recordRunResult,
  recordRunStart,
} from '../../src/features/discovery/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { withPort } from '../../src/platform/public-address.ts'
import { runSource } from '../../workers/discovery/run.ts'
import { sourceOf } from '../../workers/discovery/sources.ts'
import { createAskServer } from '../../workers/polling/query.ts'
import { createQueryPool } from '../../workers/polling/query-pool.ts'
import { resolverFor } from '../../workers/polling/target-address.ts'
import { CommandError } from '../command.ts'

/**
 * Lists what a source finds, or prints it.
 * @param options.isDry changes nothing
 * @throws CommandError 2: there is no such source; 1: the run failed
 */
export async function runSourceOnce(
  name: string,
  { pool, settings, isDry }: { pool: Pool; settings: Settings; isDry: boolean },
): Promise<void> {
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
      const result = await runSource(source, { ...options, preview: print }, signal)
      process.stderr.write(summaryOf(result, 'would be listed'))
      return
    }
    await recordRunStart(pool, name)
    const result = await runSource(source, options, signal)
    await recordRunResult(pool, name, result)
    process.stderr.write(summaryOf(result, 'listed'))
  } catch (error) {
    const { message } = error as Error
    if (!isDry) await recordRunFailure(pool, name, message, source.intervalSeconds)
    throw new CommandError(`${name}: ${message}`, 1, error)
  } finally {
    queries.close()
  }
}

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
