// `npm run test:fuzz`: only the fuzz runs, for longer and with a random seed unless FUZZ_SEED is set.
import { randomInt } from 'node:crypto'
import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const { FUZZ_SECONDS = '300', FUZZ_SEED = String(randomInt(1_000_000)) } = process.env

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/fuzz/**/*.test.ts'],
    exclude: configDefaults.exclude,
    reporters: ['default'],
    env: { FUZZ_SECONDS, FUZZ_SEED },
  },
})
