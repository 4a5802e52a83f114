import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // With the compile cache of the product's own processes, and Node's own imports: half the time a file takes to load.
    execArgv: ['--import', './tools/require-node.mjs'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
