// Work that runs a few at a time, the others in the order they came.

/**
 * @param atOnce how many run at the same time
 * @param bound when so many wait already, whoever comes is refused with what `refusal` makes
 */
export function createTurns(
  atOnce: number,
  bound?: { waiting: number; refusal: () => Error },
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else {
      if (bound && waiting.length >= bound.waiting) throw bound.refusal()
      await new Promise<void>((resolve) => waiting.push(resolve)) // whoever ends hands the turn over
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
