// A fault run: a seed that decides what comes when, a number of faults, and a report of what was tried and lost.
import path from 'node:path'
import { expect, type TestContext } from 'vitest'
import { seededRandom } from '../../../dev/simulator/fleet.ts'

/** Counts by name, as in the table at the end. */
export interface FaultReport {
  tried: Record<string, number>
  work: Record<string, number>
  lost: Record<string, number>
}

declare module 'vitest' {
  interface TaskMeta {
    faults?: FaultReport
  }
}

/** Number of faults; slow runs take a share of it. */
const ROUNDS = Number(process.env.FAULTS_ROUNDS)
const SEED = Number(process.env.FAULTS_SEED)

/** Maximum duration: a fault and the recovery after it take seconds, also on a busy machine. */
export const FAULT_RUN_TIMEOUT_MS = 150_000 + ROUNDS * 12_000

export interface FaultRun {
  rounds: number
  /** From 0 to below 1; the same sequence for the same seed. */
  random(): number
  between(least: number, most: number): number
  /** The order of this run's faults: shuffled decks of `kinds`, so that each occurs often. */
  deal<Kind extends string>(kinds: readonly Kind[], share?: number): Kind[]
  /** Counts faults. */
  tried(what: string, times?: number): void
  /** Counts the product's work. */
  worked(what: string, times: number): void
  /** Ends the run: expects nothing to be lost, and reports what was. */
  expectNothingLost(losses: Record<string, readonly unknown[]>): void
}

/** Begins a run whose counts are reported at the end, also when it fails. */
export function beginFaultRun({ task }: Pick<TestContext, 'task'>): FaultRun {
  const report: FaultReport = { tried: {}, work: {}, lost: {} }
  task.meta.faults = report
  const random = seededRandom(SEED ^ hash(`${path.basename(task.file.filepath)} ${task.name}`))
  const shuffled = <T>(list: readonly T[]) =>
    list
      .map((one) => ({ one, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => one)
  const count = (counts: Record<string, number>, what: string, times: number) => {
    counts[what] = (counts[what] ?? 0) + times
  }
  return {
    rounds: ROUNDS,
    random,
    between: (least, most) => least + random() * (most - least),
    deal(kinds, share = 1) {
      const faults = Math.max(1, Math.round(ROUNDS * share))
      const decks = Array.from({ length: Math.ceil(faults / kinds.length) }, () => shuffled(kinds))
      return decks.flat().slice(0, faults)
    },
    tried: (what, times = 1) => count(report.tried, what, times),
    worked: (what, times) => count(report.work, what, times),
    expectNothingLost(losses) {
      for (const [what, lost] of Object.entries(losses)) count(report.lost, what, lost.length)
      for (const [what, lost] of Object.entries(losses)) expect(lost, what).toEqual([])
    },
  }
}

/** FNV-1a, so that runs with one seed differ. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let n = 0; n < text.length; n++) value = Math.imul(value ^ text.charCodeAt(n), 0x01000193)
  return value >>> 0
}
