import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

// Fault runs (test/faults) are short here; `npm run test:faults` does more of each, with a seed of its own.
// So are fuzz runs (test/fuzz, `npm run test:fuzz`).
const { FAULTS_ROUNDS = '4', FAULTS_SEED = '1', FUZZ_SECONDS = '15', FUZZ_SEED = '1' } = process.env

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/containers/**'], // `npm run test:containers`
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/statements/record.ts'],
    reporters: ['default', './test/faults/support/reporter.ts'],
    env: { FAULTS_ROUNDS, FAULTS_SEED, FUZZ_SECONDS, FUZZ_SEED },
    pool: 'forks',
    // With the compile cache of the product's own processes, and Node's own imports: half the time a file takes to load.
    execArgv: ['--import', './tools/require-node.mjs'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
