// All test runs of the project, one project each. `npm test` runs `short`; docs/TESTING.md lists the
// commands of the others.
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'
import { keepFilesInMemory } from './test/support/memory-folder.ts'

keepFilesInMemory()

/** Tests with programs of other projects, where these are installed. */
const WORLD = [
  'test/world/*.test.ts', // schemathesis
  'test/examples/generated-clients.long.test.ts', // generators of clients in three languages
  'test/architecture/{ops-programs,prometheus}.long.test.ts', // promtool, haproxy, systemd-analyze, kustomize, hadolint …
  'test/platform/{pooler,postgres-versions}.long.test.ts', // PgBouncer
  'test/faults/{failover,replica,rolling,many-processes}.test.ts', // Patroni and etcd, haproxy and nginx, PgBouncer
  'test/browser/*.test.ts', // Chromium, Firefox, Lighthouse
  'test/acceptance/journeys/deployment.test.ts', // haproxy
]

/** Short tests that meet programs of other projects where these are installed, and run for `world` again. */
const SHORT_WORLD = [
  'test/platform/http/limit-stores.test.ts', // Redis
  'test/workers/polling/openarena.test.ts',
  'test/features/rcon/protocols.test.ts',
]

/** Tests of the whole product: its processes, commands, journeys. */
const LONG = ['test/{acceptance,attacks,commands,dev,guide}/**/*.test.ts', 'test/**/*.long.test.ts']

/** Of these, what each change must pass. */
const ACCEPTANCE = [
  'test/acceptance/{accounts,clients,public}.test.ts', // the documented interface
  'test/attacks/*.test.ts',
  'test/dev/migrations.test.ts',
]

/** Faults and generated requests, by a random seed. */
const FAULTS = ['test/faults/**/*.test.ts']
const FUZZ = ['test/fuzz/**/*.test.ts']

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
  maxWorkers: 6,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
} satisfies ProjectOptions

/** Set to repeat a run that drew at random, or to make it shorter or longer. */
const { ROUNDS_SHARE, FAULTS_ROUNDS, FAULTS_SEED, FUZZ_SECONDS, FUZZ_SEED } = process.env
const randomSeed = String(randomInt(1_000_000))

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
          exclude: [...configDefaults.exclude, ...LONG, ...FAULTS, ...FUZZ, ...WORLD, ...CONTAINERS],
          isolate: false, // loading the product for each file took a third of the CPU time
          env: { ROUNDS_SHARE: ROUNDS_SHARE ?? '0.125' },
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'acceptance',
          include: ACCEPTANCE,
          maxWorkers: 4, // with more, the longest file ends later
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'long',
          include: LONG,
          exclude: [...configDefaults.exclude, ...ACCEPTANCE, ...WORLD],
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'world',
          include: [...WORLD, ...SHORT_WORLD],
          maxWorkers: 3, // some start up to ten processes, with programs that have time limits of their own
          env: { FAULTS_ROUNDS: FAULTS_ROUNDS ?? '2', FAULTS_SEED: FAULTS_SEED ?? '1' },
        },
      },
      {
        test: {
          ...wholeProduct,
          name: 'faults',
          include: FAULTS,
          maxWorkers: 2, // each starts up to ten processes, over and over
          env: { FAULTS_ROUNDS: FAULTS_ROUNDS ?? '24', FAULTS_SEED: FAULTS_SEED ?? randomSeed },
        },
      },
      {
        test: {
          ...shared,
          name: 'fuzz',
          include: [...FUZZ, ...drawsAtRandom],
          isolate: false,
          testTimeout: 600_000, // eight times the rounds of the short tests
          env: {
            ROUNDS_SHARE: ROUNDS_SHARE ?? '1',
            FUZZ_SECONDS: FUZZ_SECONDS ?? '300',
            FUZZ_SEED: FUZZ_SEED ?? randomSeed,
          },
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
