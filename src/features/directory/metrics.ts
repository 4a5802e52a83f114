// Prometheus metrics of the directory in memory.
import { Counter, Histogram } from 'prom-client'
import { exposeGauge } from '../../platform/observability/metrics.ts'

export const refreshSeconds = new Histogram({
  name: 'directory_refresh_duration_seconds',
  help: 'Time one read of the change feed took, by kind (load: everything, changes: what is new)',
  labelNames: ['kind'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})
export const refreshFailures = new Counter({
  name: 'directory_refresh_failures_total',
  help: 'Reads of the change feed that failed',
})
export const rowsRead = new Counter({
  name: 'directory_refresh_rows_total',
  help: 'Rows read from the change feed',
})

/** Plain numbers: each list page adds one, and a counter's `inc` makes a text of its labels. */
export const pageLookups = { cache: 0, rendered: 0 }
new Counter({
  name: 'directory_page_lookups_total',
  help: 'List pages served, by where they came from (cache, rendered)',
  labelNames: ['from'] as const,
  collect() {
    this.reset()
    for (const from of ['cache', 'rendered'] as const) this.inc({ from }, pageLookups[from])
  },
})

export const droppedStreams = new Counter({
  name: 'directory_streams_dropped_total',
  help: 'Live streams cut off because their clients stopped reading',
})

interface Observed {
  ageSeconds(): number
  servers(): number
  textBytes(): number
  streams(): number
  /** Undefined without DATABASE_READ_URL. */
  isOnStandby: (() => boolean) | undefined
}

/**
 * Makes the gauges report this directory. Without this call there are no gauges: a worker, which has no directory, must
 * not report one that was never loaded.
 */
export function observeDirectory({ ageSeconds, servers, textBytes, streams, isOnStandby }: Observed): void {
  function gauge(name: string, help: string, read: () => number): void {
    exposeGauge({
      name,
      help,
      collect() {
        this.set(read())
      },
    })
  }
  if (isOnStandby)
    gauge(
      'directory_standby_followed',
      'With DATABASE_READ_URL: whether the directory is read from the standby (1) or from the primary (0)',
      () => (isOnStandby() ? 1 : 0),
    )
  gauge(
    'directory_snapshot_age_seconds',
    'Time since the directory in memory was last synchronized with the database; +Inf before the first load',
    ageSeconds,
  )
  gauge('directory_snapshot_servers', 'Servers in the directory in memory', servers)
  gauge('directory_streams_open', 'Open live streams', streams)
  gauge('directory_snapshot_text_bytes', 'Memory used by the texts of the directory in memory', textBytes)
}
