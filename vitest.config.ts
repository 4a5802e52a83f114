import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

/** Tests with programs of other projects, where these are installed. `npm run test:world` */
export const WORLD = [
  'test/world/*.test.ts', // schemathesis
  'test/examples/generated-clients.long.test.ts', // generators of clients in three languages
  'test/architecture/{ops-programs,prometheus}.long.test.ts', // promtool, haproxy, systemd-analyze, kustomize, hadolint …
  'test/platform/{pooler,postgres-versions}.long.test.ts', // PgBouncer
  'test/faults/{failover,replica,rolling,many-processes}.test.ts', // Patroni and etcd, haproxy and nginx, PgBouncer
  'test/pages/{firefox,lighthouse}.test.ts',
  'test/acceptance/journeys/deployment.test.ts', // haproxy
]

/** Tests of the whole product: its processes, commands, pages in a browser. `npm run test:long` */
export const LONG = [
  'test/{acceptance,attacks,faults,fuzz,journeys,pages,tools}/**/*.test.ts',
  'test/**/*.long.test.ts',
]

// Short fault and fuzz runs with a fixed seed. `npm run test:faults` and `npm run test:fuzz` run longer with a random
// seed.
const {
  FAULTS_ROUNDS = '4',
  FAULTS_SEED = '1',
  FUZZ_SECONDS = '15',
  FUZZ_SEED = '1',
  ROUNDS_SHARE = '0.25',
} = process.env

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...LONG, ...WORLD, 'test/containers/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/statements/setup.ts'],
    env: { FAULTS_ROUNDS, FAULTS_SEED, FUZZ_SECONDS, FUZZ_SEED, ROUNDS_SHARE },
    pool: 'forks',
    isolate: false, // loading the product for each file took a third of the CPU time
    // The compile cache of the product's processes and Node's own imports halve the time to load a file.
    execArgv: ['--import', './tools/require-node.mjs'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }, // a busy machine is slow, not wrong
    hookTimeout: 60_000,
  },
})
