// Prints at the end which programs were met, and which were not and why.
import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export default class WorldReporter implements Reporter {
  readonly #missing = new Set<string>()

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const [, program = ''] of content.matchAll(/^skipped: (.+)$/gm)) this.#missing.add(program)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.map((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state)
      const count = (state: string) => tests.filter((of) => of === state).length
      return `  ${module.relativeModuleId}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
    })
    const missing = [...this.#missing].map((reason) => `  ${reason}`)
    console.log(['', ' Met:', ...lines, '', ' Not met:', ...(missing.length ? missing : ['  nothing']), ''].join('\n'))
  }
}
