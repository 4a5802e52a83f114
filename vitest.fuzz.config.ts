// `npm run test:fuzz`: the fuzz runs, for longer and with a random seed unless FUZZ_SEED is set, and all rounds of tests that
// repeat what they draw at random.
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const { FUZZ_SECONDS = '300', FUZZ_SEED = String(randomInt(1_000_000)) } = process.env

const drawsAtRandom = fs
  .globSync('test/{features,platform,workers}/**/*.test.ts')
  .filter((file) => fs.readFileSync(file, 'utf8').includes("/support/rounds.ts'"))

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/fuzz/**/*.test.ts', ...drawsAtRandom],
    exclude: configDefaults.exclude,
    reporters: ['default'],
    env: { FUZZ_SECONDS, FUZZ_SEED, ROUNDS_SHARE: '1' },
  },
})
