// `npm run test:faults`: the fault runs alone, more faults in each, decided anew each time unless FAULTS_SEED says how.
import { randomInt } from 'node:crypto'
import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const { FAULTS_ROUNDS = '24', FAULTS_SEED = String(randomInt(1_000_000)) } = process.env

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/faults/**/*.test.ts'],
    exclude: configDefaults.exclude,
    env: { FAULTS_ROUNDS, FAULTS_SEED },
  },
})
