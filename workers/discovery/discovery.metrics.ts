// Metrics of the sources: what each lists, and whether its runs succeed.
import type { Deps } from '../../src/deps.ts'
import { listSources } from '../../src/features/discovery/index.ts'
import { exposeGauge } from '../../src/platform/observability/metrics.ts'
import { createGaugeReader } from '../database-gauges.ts'

type Source = Awaited<ReturnType<typeof listSources>>[number]

/** All workers expose the same numbers. The gauges are absent while the database does not answer. */
export function exposeSources({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>): void {
  const sources = createGaugeReader(log, 'sources', () => listSources(pool, settings))
  const gauge = (name: string, help: string, measure: (source: Source) => number) =>
    exposeGauge({
      name,
      help,
      labelNames: ['source'],
      async collect() {
        this.reset()
        for (const source of await sources()) if (source.isEnabled) this.set({ source: source.source }, measure(source))
      },
    })

  gauge('directory_source_listed_servers', 'Unclaimed servers that are listed, by source', ({ listed }) => listed)
  gauge('directory_source_found_servers', 'Servers that the last successful run found, by source', ({ found }) => found)
  gauge(
    'directory_source_missing_servers',
    'Listed servers that the last successful run did not find, by source',
    ({ missing }) => missing,
  )
  gauge('directory_source_failures', 'Failed runs in a row, by source', ({ failures }) => failures)
  gauge(
    'directory_source_healthy',
    '1 if nothing is to be done about a source, 0 if it is late, failing or stuck',
    ({ verdict }) => (verdict === 'ok' ? 1 : 0),
  )
}
