// All test runs of the project, one project each. `npm test` runs `short`; CONTRIBUTING.md lists the commands of the others.
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

/** Tests with programs of other projects, where these are installed. */
const WORLD = [
  'test/world/*.test.ts', // schemathesis
  'test/examples/generated-clients.long.test.ts', // generators of clients in three languages
  'test/architecture/{ops-programs,prometheus}.long.test.ts', // promtool, haproxy, systemd-analyze, kustomize, hadolint …
  'test/platform/{pooler,postgres-versions}.long.test.ts', // PgBouncer
  'test/faults/{failover,replica,rolling,many-processes}.test.ts', // Patroni and etcd, haproxy and nginx, PgBouncer
  'test/browser/{firefox,lighthouse}.test.ts',
  'test/acceptance/journeys/deployment.test.ts', // haproxy
]

/** Short tests that meet programs of other projects where these are installed, and run for `world` again. */
const SHORT_WORLD = [
  'test/platform/http/limit-stores.test.ts', // Redis
  'test/workers/polling/openarena.test.ts',
  'test/features/rcon/protocols.test.ts',
]

/** Tests of the whole product: its processes, commands, pages in a browser. */
const LONG = ['test/{acceptance,attacks,browser,commands,dev,faults,fuzz,guide}/**/*.test.ts', 'test/**/*.long.test.ts']

const CONTAINERS = ['test/containers/**/*.test.ts']

/** Short tests that repeat what they draw at random. */
const drawsAtRandom = fs
  .globSync('test/{features,platform,workers}/**/*.test.ts')
  .filter((file) => fs.readFileSync(file, 'utf8').includes("/support/rounds.ts'"))

type ProjectOptions = NonNullable<UserWorkspaceConfig['test']>

const shared = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/statements/setup.ts'],
  pool: 'forks' as const,
  // The compile cache of the product's processes and Node's own imports halve the time to load a file.
  execArgv: ['--import', './commands/require-node.mjs'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
  maxWorkers: 4,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } }, // a busy machine is slow, not wrong
} satisfies ProjectOptions

/** Files that start whole products of several processes, which mostly wait. */
const wholeProduct = {
  ...shared,
  isolate: true, // attacks and faults measure the memory of their own process
  maxWorkers: 5,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
} satisfies ProjectOptions

/**
 * How many faults and generated requests a run draws: few with a fixed seed where every change is tested, many with a
 * random seed in the runs of their own. Each can be set to repeat a run.
 */
const draws = (rounds: number, seconds: number, seed: () => number, share: number) => ({
  FAULTS_ROUNDS: process.env.FAULTS_ROUNDS ?? String(rounds),
  FAULTS_SEED: process.env.FAULTS_SEED ?? String(seed()),
  FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? String(seconds),
  FUZZ_SEED: process.env.FUZZ_SEED ?? String(seed()),
  ROUNDS_SHARE: process.env.ROUNDS_SHARE ?? String(share),
})
const few = draws(2, 8, () => 1, 0.125)
const many = draws(24, 300, () => randomInt(1_000_000), 1)

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/faults/support/reporter.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'short',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...LONG, ...WORLD, ...CONTAINERS],
          isolate: false, // loading the product for each file took a third of the CPU time
          env: few,
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'long',
          include: LONG,
          exclude: [...configDefaults.exclude, ...WORLD],
          env: few,
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'world',
          include: [...WORLD, ...SHORT_WORLD],
          env: few,
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          maxWorkers: 2, // each starts up to ten processes, over and over
          env: many,
        },
      },
      {
        test: {
          ...shared,
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts', ...drawsAtRandom],
          isolate: false,
          env: many,
        },
      },
      {
        test: {
          ...shared,
          name: 'containers',
          include: CONTAINERS,
          globalSetup: [],
          setupFiles: [],
          bail: 1, // each test continues with the installation that the previous one left
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
})
