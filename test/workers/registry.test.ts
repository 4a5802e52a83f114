// The registry handles exactly the contracts.
import { describe, expect, it } from 'vitest'
import { contracts } from '../../src/contracts.ts'
import type { Deps } from '../../src/deps.ts'
import { checkRegistry, registry } from '../../workers/registry.ts'

const idle = { handle: async () => {} }
const prober = { handle: async () => ({ outcome: 'silent' as const }) }
const webhooks = { wake: async () => {}, wakeSlow: async () => {} }
const rows = registry({ settings: { DATA_DIR: '' } } as Deps, idle, idle, prober, webhooks)

describe('the registry', () => {
  it('has a handler for every contract', () => {
    expect(() => checkRegistry(rows, contracts)).not.toThrow()
  })

  it('names contracts without a handler, and handlers without a contract', () => {
    expect(() => checkRegistry(rows.slice(1), contracts)).toThrow('jobs without a handler: poll')
    expect(() => checkRegistry(rows, contracts.slice(1))).toThrow(
      'handlers without a contract in src/contracts.ts: poll',
    )
  })

  it('fetches at least two jobs at a time, otherwise each waits for the polling interval', () => {
    for (const { fetch } of rows) expect(fetch).toBeGreaterThanOrEqual(2)
  })
})
