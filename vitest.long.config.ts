// `npm run test:long`: the tests that `npm test` leaves out because they take long.
import { configDefaults, defineConfig } from 'vitest/config'
import base, { LONG, WORLD } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: LONG,
    exclude: [...configDefaults.exclude, ...WORLD],
    maxWorkers: 5, // each starts a product of several processes, which mostly wait
    isolate: true, // attacks and faults measure the memory of their own process
    // A whole product on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/faults/support/reporter.ts'],
  },
})
