// `npm run test:faults`: only the fault runs, with more faults in each and a random seed unless FAULTS_SEED is set.
import { randomInt } from 'node:crypto'
import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.long.config.ts'

const { FAULTS_ROUNDS = '24', FAULTS_SEED = String(randomInt(1_000_000)) } = process.env

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/faults/**/*.test.ts'],
    exclude: configDefaults.exclude,
    isolate: true,
    env: { FAULTS_ROUNDS, FAULTS_SEED },
  },
})
