// Remembers which keys were used and writes it down in batches, so that no request waits for it.
import type { Log } from '../../platform/observability/log.ts'
import type { KeyUse } from './api-keys.sql.ts'

export interface Usage {
  /** Returns at once. */
  note(use: KeyUse): void
  /** Writes down what is noted; what is noted afterwards is lost. */
  stop(): Promise<void>
}

/** How long uses are gathered: short enough that somebody who looks sees his request, long enough to share a statement. */
const GATHER_MS = 1_000

/** @param write stores uses of different keys; told once for each key however often it was noted meanwhile */
export function createUsage(options: { write(uses: KeyUse[]): Promise<void>; log: Log; gatherMs?: number }): Usage {
  const { write, log, gatherMs = GATHER_MS } = options
  let noted = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (noted.size === 0) return
    const uses = [...noted].map(([keyId, at]) => ({ keyId, at }))
    noted = new Map()
    // A batch that fails is let go: the database still says that these keys are due, so their next use is noted again.
    writing = writing
      .then(() => write(uses))
      .catch((err: unknown) => log.warn({ err, keys: uses.length }, 'use of API keys not written'))
  }

  return {
    note({ keyId, at }) {
      noted.set(keyId, at)
      timer ??= setTimeout(flush, gatherMs).unref()
    },
    async stop() {
      flush()
      await writing
    },
  }
}
