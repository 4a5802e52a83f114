// When a server counts as wiped, and what games' answers say about that.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectWipe, type WorldFingerprint } from '../../../src/features/wipes/index.ts'
import { fingerprintOf, isRulesPoll, rulesTellMore } from '../../../workers/polling/world-fingerprint.ts'

const born = (seconds: number): WorldFingerprint => ({ bornAt: new Date(seconds * 1000) })

describe('a wipe', () => {
  test.each<[string, WorldFingerprint | undefined, WorldFingerprint, 'full' | 'map' | undefined]>([
    ['nothing was known', undefined, { day: 1, map: 'TheIsland' }, undefined],
    ['days go by', { day: 400, map: 'TheIsland' }, { day: 401, map: 'TheIsland' }, undefined],
    ['nothing moves', { day: 400 }, { day: 400 }, undefined],
    ['a backup of last week is restored', { day: 400, map: 'TheIsland' }, { day: 330, map: 'TheIsland' }, undefined],
    ['the counter starts at one', { day: 400, map: 'TheIsland' }, { day: 1, map: 'TheIsland' }, 'full'],
    ['a world of a month starts over', { day: 30 }, { day: 3 }, 'full'],
    [
      'a young world is restored to its first day',
      { day: 20, map: 'TheIsland' },
      { day: 1, map: 'TheIsland' },
      undefined,
    ],
    ['a young world starts over on another map', { day: 20, map: 'TheIsland' }, { day: 1, map: 'Ragnarok' }, 'map'],
    ['a young world is restored to some hours ago', { day: 12 }, { day: 5 }, undefined],
    ['a world is restored to a day ago', { day: 40 }, { day: 17 }, undefined],
    ['a world starts over on another map', { day: 400, map: 'TheIsland' }, { day: 2, map: 'Ragnarok' }, 'map'],
    ['an old world of another map is loaded', { day: 4, map: 'TheIsland' }, { day: 500, map: 'Ragnarok' }, undefined],
    ['the day was unknown before', { map: 'TheIsland' }, { day: 3, map: 'Ragnarok' }, undefined],
    ['the world was made later', born(1_700_000_000), born(1_700_600_000), 'map'],
    ['the world was written again within a minute', born(1_700_000_000), born(1_700_000_060), undefined],
    ['an older world is restored', born(1_700_600_000), born(1_700_000_000), undefined],
    ['the creation time is known only now', { map: 'Procedural Map', seed: '1/2' }, born(1_700_000_000), undefined],
    ['the seed is another', { seed: '1/4000' }, { seed: '2/4000' }, 'map'],
    ['the size is another', { seed: '1/4000', map: 'P' }, { seed: '1/4500', map: 'P' }, 'map'],
    ['the map is another', { map: 'Procedural Map' }, { map: 'HapisIsland' }, 'map'],
    ['the map is unknown', { map: 'Procedural Map' }, { seed: '1/4000' }, undefined],
  ])('%s', (_, before, now, kind) => {
    expect(detectWipe(before, now)?.kind).toBe(kind)
  })

  test('is as of the world’s creation, if that is known', () => {
    expect(detectWipe(born(1_700_000_000), born(1_700_600_000))).toEqual({
      kind: 'map',
      wipedAt: new Date(1_700_600_000_000),
    })
    expect(detectWipe({ day: 90 }, { day: 1 })).toEqual({ kind: 'full' })
  })

  test('is never found at the first answer, nor in a world that stays or grows older', () => {
    const fingerprint = fc.record(
      {
        day: fc.integer({ min: 1, max: 100_000 }),
        bornAt: fc.integer({ min: 1_400_000_000, max: 2_000_000_000 }).map((seconds) => new Date(seconds * 1000)),
        map: fc.constantFrom('a', 'b'),
        seed: fc.constantFrom('1', '2'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fingerprint, fc.nat(1000), (world, days) => {
        expect(detectWipe(undefined, world)).toBeUndefined()
        const later = world.day === undefined ? world : { ...world, day: world.day + days }
        expect(detectWipe(world, later)).toBeUndefined()
        expect(detectWipe(world, {})).toBeUndefined()
        expect(detectWipe({}, world)).toBeUndefined()
      }),
    )
  })
})

describe('an answer contains', () => {
  const result = (raw: unknown, map: unknown = 'TheIsland') => ({
    name: '',
    map,
    version: '',
    numplayers: 0,
    maxplayers: 0,
    players: [],
    raw,
  })

  test('the day of ARK’s rules and of its sessions', () => {
    expect(fingerprintOf('ase', result({ rules: { DayTime_s: '417' } }))).toEqual({ day: 417, map: 'TheIsland' })
    expect(fingerprintOf('ase', result({}))).toBeUndefined()
    expect(fingerprintOf('asa', result({ attributes: { DAYTIME_s: '9' } }, 'TheIsland_WP'))).toEqual({
      day: 9,
      map: 'TheIsland_WP',
    })
    for (const day of ['0', '-3', '1e3', '', 'soon', '99999999999', null, {}, Number.NaN])
      expect(fingerprintOf('ase', result({ rules: { DayTime_s: day } }))).toBeUndefined()
  })

  test('the creation time in Rust’s keywords, otherwise seed, size and map', () => {
    const tags = ['mp200', 'cp50', 'born1700000000', 'gmrust']
    expect(fingerprintOf('rust', result({ tags }, 'Procedural Map'))).toEqual({ bornAt: new Date(1_700_000_000_000) })
    const rules = { 'world.seed': '1234', 'world.size': '4000' }
    expect(fingerprintOf('rust', result({ tags: ['mp200'], rules }, 'Procedural Map'))).toEqual({
      seed: '1234/4000',
      map: 'Procedural Map',
    })
    for (const tag of ['born', 'born12', 'born99999999999', 'stubborn1700000000', 'born0000000001'])
      expect(fingerprintOf('rust', result({ tags: [tag] }, ''))).toBeUndefined()
  })

  test('nothing for other games, and invalid values are ignored', () => {
    expect(
      fingerprintOf('minecraft', result({ rules: { DayTime_s: '417' }, tags: ['born1700000000'] })),
    ).toBeUndefined()
    expect(fingerprintOf('constructor', result({}))).toBeUndefined()
    fc.assert(
      fc.property(fc.constantFrom('ase', 'asa', 'rust', 'css'), fc.anything(), fc.anything(), (game, raw, map) => {
        const fingerprint = fingerprintOf(game, result(raw, map))
        expect(fingerprint === undefined || Object.values(fingerprint).every((value) => value !== undefined)).toBe(true)
      }),
    )
  })

  test('rules are requested where they add to it, at the first poll and at one in thirty, which differs by server', () => {
    expect([rulesTellMore('ase', undefined), rulesTellMore('ase', { day: 3 })]).toEqual([true, false])
    expect([rulesTellMore('rust', { map: 'P' }), rulesTellMore('rust', born(1_700_000_000))]).toEqual([true, false])
    expect(rulesTellMore('css', undefined)).toBe(false)
    const turns = (serverId: string) =>
      Array.from({ length: 70 }, (_, n) => n + 1).filter((cycle) =>
        isRulesPoll({ serverId, cycle, isFirst: cycle === 1, consecutiveFailures: 0 }),
      )
    expect(turns('01890000-0000-7000-8000-000000000000')).toEqual([1, 30, 60])
    expect(turns('01890000-0000-7000-8000-00000000001e')).toEqual([1, 30, 60])
    expect(turns('01890000-0000-7000-8000-000000000003')).toEqual([1, 27, 57])
  })

  test('rules are requested at the poll after a failed one: a world starts over with its server', () => {
    const server = { serverId: '01890000-0000-7000-8000-000000000000', cycle: 7, isFirst: false }
    expect(isRulesPoll({ ...server, consecutiveFailures: 1 })).toBe(true)
    expect(isRulesPoll({ ...server, consecutiveFailures: 0 })).toBe(false)
  })
})
