// Prints at the end what all fault runs tried, what the product did meanwhile, and what was lost.
import type { Reporter, TestModule, TestProject, TestSpecification } from 'vitest/node'
import type {} from './run.ts'

export default class FaultReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const run = specifications.find(({ moduleId }) => moduleId.includes('/test/faults/'))
    if (run) console.log(` Fault runs are decided by ${decisions(run.project)}`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const runs = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        const { faults } = test.meta()
        return faults ? [{ name: test.fullName, state: test.result().state, ...faults }] : []
      }),
    )
    if (!runs.length) return
    const lines = runs.flatMap(({ name, state, tried, work, lost }) => [
      '',
      `  ${state === 'passed' ? name : `${state.toUpperCase()}: ${name}`}`,
      `    tried  ${format(tried)}`,
      `    done   ${format(work)}`,
      `    lost   ${format(lost)}`,
    ])
    console.log(['', ` Fault runs, the same again with ${decisions(modules[0]?.project)}`, ...lines, ''].join('\n'))
  }
}

function decisions(project: TestProject | undefined): string {
  const { FAULTS_ROUNDS, FAULTS_SEED } = project?.config.env ?? {}
  return `FAULTS_ROUNDS=${FAULTS_ROUNDS} FAULTS_SEED=${FAULTS_SEED}`
}

const format = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, times]) => `${times.toLocaleString('en')} ${what}`)
    .join(', ') || 'not reported: the run ended before'
