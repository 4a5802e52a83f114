// `npm run test:long`: the tests that `npm test` leaves out because they take long.
import { configDefaults, defineConfig } from 'vitest/config'
import base, { LONG } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: LONG,
    exclude: configDefaults.exclude,
    isolate: true, // attacks and faults measure the memory of their own process
    reporters: ['default', './test/faults/support/reporter.ts'],
  },
})
