// The Node that the tests themselves run on.
import { expect, it } from 'vitest'

it('tests run on Node 24, whatever Node is installed outside', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
})
