// `npm run test:containers`: builds the image and runs docker-compose.yml, on a machine with docker or podman.
import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/containers/**/*.test.ts'],
    exclude: configDefaults.exclude,
    globalSetup: [],
    setupFiles: [],
    reporters: ['verbose'],
    env: {},
    bail: 1, // each test continues with the installation that the previous one left
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
})
