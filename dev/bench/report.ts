// Results of a benchmark: measured values, and ratios with their targets.

export interface Finding {
  what: string
  value: string
  /** The lowest and the highest of the rounds or runs that the value is the median of. */
  spread?: string
  /** The target and whether it was met; absent for values without a target. */
  target?: string
  met?: boolean
}

/** What a round measured: a busy machine lowers the rate, but hardly changes the CPU time of each piece of work. */
export interface Rate {
  perSecond: number
  /** CPU time of the measured process for each, in microseconds. */
  microsEach: number
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

/**
 * Rounds of a baseline and of the product, which alternate, so that both run under the same load of the machine.
 * @param target of the product's rate as a ratio of the baseline's
 * @param cpuTarget of the baseline's CPU time as a ratio of the product's
 */
export function compareRounds(
  [baseline, theirs]: [what: string, rounds: Rate[]],
  [product, ours]: [what: string, rounds: Rate[]],
  unit: string,
  target: number,
  cpuTarget?: number,
): Finding[] {
  const rate = (rounds: Rate[]) => median(rounds.map(({ perSecond }) => perSecond))
  const cpu = (rounds: Rate[]) => median(rounds.map(({ microsEach }) => microsEach))
  const ofRate = ratios(ours, theirs, (ours, theirs) => ours.perSecond / theirs.perSecond)
  const ofCpu = ratios(ours, theirs, (ours, theirs) => theirs.microsEach / ours.microsEach)
  const cpuRatio = `ratio of ${unit} per CPU time`
  return [
    figure(baseline, rate(theirs), `${unit}/s`),
    figure(product, rate(ours), `${unit}/s`),
    { ...atLeast(`ratio of ${unit}/s`, median(ofRate), target), spread: spread(ofRate) },
    figure('CPU time of each, baseline and product', `${cpu(theirs).toFixed(1)} µs, ${cpu(ours).toFixed(1)} µs`),
    {
      ...(cpuTarget === undefined ? figure(cpuRatio, median(ofCpu)) : atLeast(cpuRatio, median(ofCpu), cpuTarget)),
      spread: spread(ofCpu),
    },
  ]
}

/** Findings of one of several cases that a section measures. */
export const ofCase = (name: string, findings: Finding[]): Finding[] =>
  findings.map((finding) => ({ ...finding, what: `${name}: ${finding.what}` }))

/** The median of the rounds' ratios: what else the machine does lasts longer than a round, and slows both. */
export const ratio = (ours: Rate[], theirs: Rate[], of: (ours: Rate, theirs: Rate) => number): number =>
  median(ratios(ours, theirs, of))

const ratios = (ours: Rate[], theirs: Rate[], of: (ours: Rate, theirs: Rate) => number): number[] =>
  ours.map((rate, round) => (theirs[round] ? of(rate, theirs[round]) : Number.NaN))

const spread = (values: number[]) => `${round(Math.min(...values))}–${round(Math.max(...values))}`

const NUMBER = /\d[\d,]*(?:\.\d+)?/g
const numbersIn = (value: string) => [...value.matchAll(NUMBER)].map(([number]) => number)
const toNumber = (written: string) => Number(written.replaceAll(',', ''))

/**
 * Combines the findings of several runs of one section: each number is the median of the runs, with the lowest and the
 * highest as its spread. A target is met if each run met it.
 */
export function medianOfRuns(runs: Finding[][]): Finding[] {
  const [first = [], ...others] = runs
  if (others.length === 0) return first
  return first.map(({ what }, row) => {
    const findings = runs.map((run) => run[row] as Finding)
    if (findings.some((finding) => finding.what !== what)) throw new Error(`not every run has the result ${what}`)
    return combine(findings)
  })
}

/** A value is text that may have several numbers: `18.6 µs, 27.5 µs`. Each is replaced by its median. */
function combine(findings: Finding[]): Finding {
  const [{ value, what, target }] = findings as [Finding]
  const ofRuns = findings.map((finding) => numbersIn(finding.value))
  const numbers = numbersIn(value).map((_, at) => {
    const sorted = ofRuns
      .map((run) => {
        if (run[at] === undefined) throw new Error(`not every run has all numbers of ${what}`)
        return run[at]
      })
      .sort((a, b) => toNumber(a) - toNumber(b))
    const [lowest, median, highest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    return { median: median ?? '', spread: lowest === highest ? lowest : `${lowest}–${highest}` }
  })
  const vary = numbers.some(({ median, spread }) => median !== spread)
  let at = 0
  return {
    what,
    value: value.replaceAll(NUMBER, () => numbers[at++]?.median ?? ''),
    ...(vary && { spread: numbers.map(({ spread }) => spread).join(', ') }),
    ...(target !== undefined && { target, met: findings.every(({ met }) => met) }),
  }
}

/** Prints the results as a Markdown table. */
export function print(title: string, findings: Finding[]): void {
  console.log(`\n### ${title}\n\n| what | measured | target | |\n|---|---|---|---|`)
  for (const { what, value, spread, target, met } of findings)
    console.log(
      `| ${what} | ${value}${spread ? ` (${spread})` : ''} | ${target ?? ''} | ${met === undefined ? '' : met ? 'met' : 'MISSED'} |`,
    )
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function round(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}
