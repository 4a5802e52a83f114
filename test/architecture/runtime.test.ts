// The Node version that the tests run on.
import { expect, it } from 'vitest'

it('tests run on Node 24, even if another version is installed', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})
