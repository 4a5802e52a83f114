// The paths of a line chart: a line and an area for each run of known values, and the gaps between them.

/** The rectangle that a plot fills, in pixels. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

export interface PlottedPoint {
  /** Where the line is; null: a gap. */
  players: number | null
  /** Where the area ends: at least `players`. */
  peak: number | null
}

/**
 * Path data of evenly spaced points. A run of known values reaches half a step beyond its outer points, so a single
 * value between two gaps is visible.
 * @param highest value at the frame's upper edge, above 0
 * @param polledFrom index of the first point with a poll; what is unknown before it is no gap
 * @param polledTo index after the last point with a poll, likewise
 */
export function plot(
  points: readonly PlottedPoint[],
  { left, top, width, height }: Frame,
  { highest, polledFrom, polledTo }: { highest: number; polledFrom: number; polledTo: number },
) {
  const step = width / points.length
  const bottom = top + height
  const edge = (index: number) => rounded(left + index * step)
  const y = (players: number | null) => rounded(bottom - (height * Math.min(players ?? 0, highest)) / highest)
  let [line, area, gaps] = ['', '', '']
  for (const { from, to, isKnown } of runsOf(points)) {
    if (!isKnown) {
      const [first, next] = [Math.max(from, polledFrom), Math.min(to, polledTo)]
      if (first < next) gaps += `M${edge(first)} ${top}H${edge(next)}V${bottom}H${edge(first)}z`
      continue
    }
    const [start, end] = [edge(from), edge(to)]
    const trace = (of: (point: PlottedPoint) => number | null) => {
      const run = points.slice(from, to).map((point) => y(of(point)))
      const inner = run.slice(1, -1).map((at, index) => `${rounded(left + (from + index + 1.5) * step)} ${at}`)
      return run.length === 1 ? `${run[0]}H${end}` : `${run[0]}L${[...inner, `${end} ${run.at(-1)}`].join(' ')}`
    }
    line += `M${start} ${trace(({ players }) => players)}`
    area += `M${start} ${bottom}V${trace(({ peak }) => peak)}V${bottom}z`
  }
  return { line, area, gaps }
}

/** Runs of known and of unknown values, in order; `to` is exclusive. */
function runsOf(points: readonly PlottedPoint[]): { from: number; to: number; isKnown: boolean }[] {
  const runs: { from: number; to: number; isKnown: boolean }[] = []
  for (const [index, { players }] of points.entries()) {
    const isKnown = players !== null
    const last = runs.at(-1)
    if (last?.isKnown === isKnown) last.to = index + 1
    else runs.push({ from: index, to: index + 1, isKnown })
  }
  return runs
}

const rounded = (pixels: number) => Math.round(pixels * 10) / 10

/** Round steps from 0 to at least `highest`, at most five: 0, 20, 40, 60. */
export function scaleOf(highest: number): number[] {
  const rough = Math.max(highest, 1) / 4
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * unit >= rough) ?? 10) * unit)
  return Array.from({ length: Math.max(2, Math.ceil(highest / step) + 1) }, (_, index) => Math.round(index * step))
}
