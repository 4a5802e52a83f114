/**
 * The CPU time of a call in µs: the least of five, since compilation, garbage collection and other work on the machine
 * only add to it. Compare it with that of another call in the same run. Of the whole process, since that of a thread
 * has steps of some milliseconds.
 */
export function cpuMicrosOf(call: (nth: number) => unknown): number {
  const times = Array.from({ length: 5 }, (_, nth) => {
    const from = process.cpuUsage()
    call(nth)
    const { user, system } = process.cpuUsage(from)
    return user + system
  })
  return Math.min(...times)
}

/** Below this the clock and its own call are most of what is measured. */
const MIN_MICROS = 200

/**
 * How many times as long a call takes with four times the input: about 4 where its cost grows with the length, 16 where
 * it grows with its square.
 */
export function growthOf(call: (length: number) => unknown, length: number): number {
  const [short, long] = [length, 4 * length].map((of) =>
    Math.max(
      MIN_MICROS,
      cpuMicrosOf(() => call(of)),
    ),
  )
  return (long ?? 0) / (short ?? 1)
}
