// Batches calls that are made while others run, so that they share a statement or a transaction (docs/decisions/0006).
import { isOutage } from './pg-errors.ts'

interface BatcherOptions<Item> {
  /** Items in one batch. */
  maxBatch: number
  /** Batches that run at once. */
  concurrency?: number
  /** Whether a batch waits for the calls of the same event loop iteration; otherwise the first call runs at once. */
  waitsForIteration?: boolean
  /** Items with the same key never share a batch; the later one waits for the next. */
  keyOf?: (item: Item) => string
}

interface Call<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * @param run resolves to a result for each item, in order. If it rejects for another reason than an outage
 * of the database, one item may be at fault: the batch is divided until the items at fault are alone, and
 * only their calls reject.
 * @returns a function that puts an item into a batch. Items are taken in the order of their calls.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxBatch, concurrency = 1, waitsForIteration = false, keyOf }: BatcherOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = []
  let running = 0

  function startNext(): void {
    while (waiting.length && running < concurrency) {
      running++
      if (waitsForIteration) setImmediate(() => void runNext())
      else void runNext()
    }
  }

  async function runNext(): Promise<void> {
    const calls = takeBatch()
    if (calls.length) await runBatch(calls)
    running--
    startNext()
  }

  function takeBatch(): Call<Item, Result>[] {
    if (!keyOf) return waiting.splice(0, maxBatch)
    const taken = new Map<string, Call<Item, Result>>()
    const left: Call<Item, Result>[] = []
    for (const call of waiting) {
      const key = keyOf(call.item)
      if (taken.size === maxBatch || taken.has(key)) left.push(call)
      else taken.set(key, call)
    }
    waiting = left
    return [...taken.values()]
  }

  async function runBatch(calls: Call<Item, Result>[]): Promise<void> {
    try {
      const results = await run(calls.map(({ item }) => item))
      for (const [place, { resolve }] of calls.entries()) resolve(results[place] as Result)
    } catch (error) {
      if (calls.length === 1 || isOutage(error)) for (const { reject } of calls) reject(error)
      else {
        const half = Math.ceil(calls.length / 2)
        await runBatch(calls.slice(0, half))
        await runBatch(calls.slice(half))
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      startNext()
    })
}
