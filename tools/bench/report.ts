// Results of a benchmark: measured values, and ratios with their targets.

export interface Finding {
  what: string
  value: string
  /** The target and whether it was met; absent for values without a target. */
  target?: string
  met?: boolean
}

export const figure = (what: string, value: number | string, unit = ''): Finding => ({
  what,
  value: `${typeof value === 'number' ? round(value) : value}${unit && ` ${unit}`}`,
})

export const atLeast = (what: string, value: number, target: number, unit = ''): Finding => ({
  what,
  value: `${round(value)}${unit && ` ${unit}`}`,
  target: `≥ ${target}`,
  met: value >= target,
})

export const atMost = (what: string, value: number, target: number, unit = ''): Finding => ({
  what,
  value: `${round(value)}${unit && ` ${unit}`}`,
  target: `≤ ${target}`,
  met: value <= target,
})

/** Prints the results as a Markdown table in the format of docs/PERFORMANCE.md. */
export function print(title: string, findings: Finding[]): void {
  console.log(`\n### ${title}\n\n| what | measured | target | |\n|---|---|---|---|`)
  for (const { what, value, target, met } of findings)
    console.log(`| ${what} | ${value} | ${target ?? ''} | ${met === undefined ? '' : met ? 'met' : 'MISSED'} |`)
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function round(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}
