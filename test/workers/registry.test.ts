// The worker has a handler for each job that a feature declares.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contracts } from '../../src/contracts.ts'
import type { Deps } from '../../src/deps.ts'
import type { JobContract } from '../../src/platform/queue/contract.ts'
import { type JobTable, jobTable, LOOK_SECONDS, registrationsOf } from '../../workers/registry.ts'

const idle = { handle: async () => {} }
const table = jobTable({ settings: { DATA_DIR: '' } } as Deps, {
  poller: idle,
  claimChecker: idle,
  prober: { handle: async () => ({ outcome: 'silent' as const }) },
  discoverer: { check: async () => {}, handle: async () => {}, schedule: async () => {}, upkeep: async () => {} },
  webhooks: { wake: async () => {}, wakeSlow: async () => {} },
})
const features = path.resolve(import.meta.dirname, '../../src/features')

/** Every contract that a file `<feature>.jobs.ts` exports, by name. */
async function declared(): Promise<[string, JobContract][]> {
  const files = fs.globSync('*/*.jobs.ts', { cwd: features })
  const modules = await Promise.all(files.map((file) => import(path.join(features, file))))
  return modules
    .flatMap((exports: Record<string, unknown>) => Object.entries(exports))
    .filter((entry): entry is [string, JobContract] => Object.hasOwn(entry[1] as object, 'queue'))
}

describe('the registry', () => {
  it('has every contract of the features, each with a handler', async () => {
    expect(Object.entries(contracts)).toEqual(expect.arrayContaining(await declared()))
    const handled = registrationsOf(table).filter(({ handle }) => typeof handle === 'function')
    expect(handled.map(({ contract }) => contract)).toEqual(Object.values(contracts))
  })

  it('has one contract a queue', () => {
    const queues = Object.values(contracts).map(({ queue }) => queue)
    expect(new Set(queues).size).toBe(queues.length)
  })

  it('does not compile without a handler for a contract, or with one that has no contract', () => {
    const { poll, ...others } = table
    // @ts-expect-error: a contract without a handler
    const incomplete: JobTable = others
    // @ts-expect-error: a handler without a contract
    const excessive: JobTable = { ...table, unknown: poll }
    // @ts-expect-error: a handler of another contract's payload
    const mistaken: JobTable = { ...table, poll: table.mail }
    expect([incomplete, excessive, mistaken]).toHaveLength(3)
  })

  it('gives each picture the time to wait for all others of its worker, which encodes one at a time', () => {
    const names = ['faceEncode', 'faceFetch', 'logoEncode'] as const
    const pictures = names.reduce((sum, name) => sum + table[name].loops * table[name].fetch, 0)
    const [encodeSeconds, downloadSeconds] = [20, 10]
    for (const name of names)
      expect(contracts[name].options.expireInSeconds).toBeGreaterThan(pictures * encodeSeconds + downloadSeconds)
  })

  it('looks for jobs fewer than 25 times a second: an idle worker does nothing else', () => {
    const looks = registrationsOf(table).map(({ loops, lookSeconds }) => loops / lookSeconds)
    expect(looks.reduce((sum, perSecond) => sum + perSecond, 0)).toBeLessThan(25)
  })

  it('looks seldom only where jobs are announced, and are never retried or scheduled', () => {
    for (const { contract, lookSeconds, schedule } of registrationsOf(table)) {
      expect(contract.options.notify, contract.queue).toBe(true)
      if (lookSeconds > LOOK_SECONDS && !schedule) expect(contract.options.retryLimit, contract.queue).toBe(0)
    }
  })

  it('gives each job a minute or more until it expires: the worker ends a job five seconds earlier', () => {
    for (const { contract } of registrationsOf(table))
      expect(contract.options.expireInSeconds, contract.queue).toBeGreaterThanOrEqual(60)
  })

  it('fetches at least two jobs at a time, otherwise each waits for the polling interval', () => {
    for (const { fetch } of registrationsOf(table)) expect(fetch).toBeGreaterThanOrEqual(2)
  })
})
