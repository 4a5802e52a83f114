// `npm run test:world`: the product with programs of other projects, those that are installed, and what was not run.
import { configDefaults, defineConfig } from 'vitest/config'
import base, { WORLD } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      ...WORLD,
      'test/platform/http/limit-stores.test.ts', // Redis
      'test/workers/polling/openarena.test.ts',
      'test/features/rcon/protocols.test.ts',
    ],
    exclude: configDefaults.exclude,
    isolate: true,
    reporters: ['default', './test/faults/support/reporter.ts', './test/world/reporter.ts'],
  },
})
