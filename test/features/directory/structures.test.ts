// The in-memory directory's data structures against simple models: postings, texts, searches.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countBits } from '../../../src/features/directory/engine/bits.ts'
import { createIds } from '../../../src/features/directory/engine/ids.ts'
import { isoInstant } from '../../../src/features/directory/engine/instants.ts'
import { float64At, int16At, int32At, numberAt, uint32At } from '../../../src/features/directory/engine/number-at.ts'
import {
  addSlot,
  createPosting,
  hasSlot,
  membersOf,
  removeSlot,
} from '../../../src/features/directory/engine/posting.ts'
import { type Multipliers, readMultipliers, replaceRates } from '../../../src/features/directory/engine/rates.ts'
import { sortWindow } from '../../../src/features/directory/engine/sort-window.ts'
import {
  createSortedSlots,
  markChanged,
  positionOf,
  repair,
} from '../../../src/features/directory/engine/sorted-slots.ts'
import { createTextArena } from '../../../src/features/directory/engine/text-arena.ts'
import { createTextIndex } from '../../../src/features/directory/engine/text-index.ts'
import { fold } from '../../../src/platform/fold-text.ts'
import { createDice } from './dice.ts'

it('a posting has what was added and not removed, as a list and as a bitset', () => {
  const dice = createDice(7)
  const posting = createPosting()
  const expected = new Set<number>()
  const kinds = new Set<string>()
  // Dense low slots, then sparse high ones, then almost none: both conversions, in both directions.
  for (const { slots, adds } of [
    { slots: 2_000, adds: 0.8 },
    { slots: 400_000, adds: 0.7 },
    { slots: 2_000, adds: 0.1 },
    { slots: 3_000, adds: 0.9 },
  ])
    for (let i = 0; i < 8_000; i++) {
      const slot = dice.below(slots)
      if (dice.below(100) / 100 < adds) {
        if (!hasSlot(posting, slot)) addSlot(posting, slot)
        expected.add(slot)
      } else {
        const members = [...membersOf(posting)]
        const victim = members.length ? dice.pick(members) : slot
        removeSlot(posting, victim)
        expected.delete(victim)
      }
      kinds.add(posting.bits ? 'bits' : 'list')
      if (i % 500 === 0)
        expect([...membersOf(posting)].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b))
      // Four bytes a member either way, within the hysteresis that prevents repeated conversions.
      const bytes = (posting.bits ?? posting.list)?.byteLength ?? 0
      expect(bytes).toBeLessThanOrEqual(64 + 24 * Math.max(posting.size, 64))
    }
  expect(posting.size).toBe(expected.size)
  if (posting.bits) expect(countBits(posting.bits)).toBe(expected.size)
  expect(kinds).toEqual(new Set(['bits', 'list']))
})

it('ids have the slots that they were given, and sort like their texts', () => {
  const dice = createDice(5)
  // Few last parts, so that many ids begin their search at the same place.
  const part = (digits: number) => dice.pick(['0', 'f', 'a', '7']).repeat(digits)
  const anyId = () =>
    `${part(4)}${part(4)}-${part(4)}-${part(4)}-${part(4)}-${part(4)}${String(dice.below(40)).padStart(8, '0')}`
  const ids = createIds()
  const expected = new Map<string, number>()
  const slots = new Set<number>()
  for (let i = 0; i < 20_000; i++) {
    const id = anyId()
    const slot = expected.get(id)
    expect(ids.slotOf(id)).toBe(slot)
    if (slot === undefined) {
      const added = ids.add(id)
      expect(slots.has(added)).toBe(false)
      expected.set(id, added)
      slots.add(added)
    } else if (dice.below(3) > 0 || expected.size > 3_000) {
      ids.remove(slot)
      expected.delete(id)
      slots.delete(slot)
      expect([ids.isTaken(slot), ids.idOf(slot), ids.slotOf(id)]).toEqual([false, '', undefined])
    }
  }
  expect(expected.size).toBeGreaterThan(1_500)
  for (const [id, slot] of expected)
    expect([ids.slotOf(id), ids.idOf(slot), ids.isTaken(slot)]).toEqual([slot, id, true])
  const firstOfShort = new Map(
    [...expected.keys()]
      .sort()
      .reverse()
      .map((id) => [id.slice(-12), id]),
  )
  expect(firstOfShort.size).toBeLessThan(expected.size)
  for (const [shortId, id] of firstOfShort) expect(ids.slotOfShort(shortId)).toBe(expected.get(id))
  for (const other of ['', '000000000099', 'f00000000001x', '00000000000', 'F00000000001'])
    expect(ids.slotOfShort(other)).toBeUndefined()
  const [first = [], ...others] = [...expected]
  for (const [id, slot] of others) {
    expect(ids.isBefore(slot, Number(first[1]))).toBe(id < String(first[0]))
    expect(ids.isBefore(Number(first[1]), slot)).toBe(String(first[0]) < id)
  }
  for (const other of ['', 'x', 'A0000000-0000-4000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    expect(ids.slotOf(other)).toBeUndefined()
  expect(() => ids.add('not an id')).toThrow('not a UUID')
})

it('texts stay whole through edits, removals and reuse, and their space is reclaimed', () => {
  const dice = createDice(11)
  const usual = ['', 'usual ', 'gewöhnlich']
  const arena = createTextArena(usual)
  const expected = new Map<number, string[]>()
  const text = () => {
    const text = dice.pick(['', 'short', 'Ümläut 方舟 🦖 ']).repeat(dice.below(dice.below(400) === 0 ? 200_000 : 100))
    return `"${text}"`
  }
  for (let i = 0; i < 30_000; i++) {
    const slot = dice.below(3_000)
    if (dice.below(10) === 0) {
      arena.free(slot)
      expected.delete(slot)
    } else {
      const parts = usual.map((usual) => (usual !== '' && dice.below(2) === 0 ? usual : text()))
      arena.write(
        slot,
        parts.map((text, part) => (text === usual[part] ? '' : text)),
      )
      expected.set(slot, parts)
    }
  }
  for (const [slot, parts] of expected) {
    expect(arena.read(slot)).toBe(parts.join(''))
    const wanted = parts.slice(1).join('')
    const target = Buffer.alloc(Buffer.byteLength(wanted) + 1)
    expect(arena.copy(slot, { from: 1, to: 3 }, target, 1)).toBe(Buffer.byteLength(wanted))
    expect(target.toString('utf8', 1)).toBe(wanted)
    const small = Buffer.alloc(Buffer.byteLength(wanted))
    expect(arena.copy(slot, { from: 1, to: 3 }, small, 1)).toBe(small.length)
  }
  const live = [...expected.values()].reduce((sum, parts) => sum + Buffer.byteLength(parts.join('')) + 16, 0)
  expect(arena.bytes()).toBeLessThan(2 * live + 3 * 2 ** 20 + 2_000_000)
})

it('a window of values is sorted as in the whole, however many are equal', () => {
  const values = fc.oneof(
    fc.array(fc.nat({ max: 5 }), { maxLength: 60 }),
    fc.array(fc.double({ noNaN: true, min: 0 }), { maxLength: 60 }),
  )
  fc.assert(
    fc.property(values, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (values, a, b) => {
      const [from, to] = [Math.min(a, b, values.length), Math.min(Math.max(a, b), values.length)]
      const sorted = Float64Array.from(values).sort()
      expect(sortWindow(Float64Array.from(values), from, to)).toEqual(sorted.slice(from, to))
    }),
  )
})

it('a search finds the names that contain the term, through renames and removals', () => {
  const letters = fc.constantFrom(...'aAbBßsSςσΣоО方舟🦖 éİi1"\\')
  const name = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 15 }), name), { maxLength: 60 }),
      fc.array(
        fc.array(letters, { minLength: 1, maxLength: 5 }).map((all) => all.join('')),
        { minLength: 1, maxLength: 10 },
      ),
      (namings, terms) => {
        const index = createTextIndex()
        const names = new Map<number, string>()
        for (const [slot, given] of namings) {
          index.set(slot, fold(given))
          names.set(slot, fold(given))
        }
        for (const raw of terms) {
          const term = fold(raw)
          const wanted = [...names].filter(([, own]) => own.includes(term)).map(([slot]) => slot)
          const found = index.find(term)
          const candidates = [...names.keys()].filter((slot) =>
            found?.postings.every((posting) => hasSlot(posting, slot)),
          )
          expect(candidates).toEqual(expect.arrayContaining(wanted))
          const verified = found?.exact ? candidates : candidates.filter((slot) => index.at(slot).includes(term))
          expect(verified).toEqual(wanted)
        }
      },
    ),
  )
})

it('a repeated search follows every changed name', () => {
  const index = createTextIndex()
  for (let slot = 0; slot < 5_000; slot++) index.set(slot, `wolf clan ${slot}`)
  const find = () => {
    const found = index.find('wolf')
    return found?.exact ? found.postings[0]?.size : undefined
  }
  expect(find()).toBeUndefined()
  expect(find()).toBe(5_000)
  index.set(17, 'bear clan')
  index.set(18, '')
  index.set(9_000, 'the werewolf')
  index.set(20, 'wolf, wolf')
  expect(find()).toBe(4_999)
})

it('case is ignored in every script', () => {
  expect(fold('ÖDE Straße')).toBe(fold('öde STRAßE'))
  expect(fold('ΟΔΟΣ')).toBe(fold('οδος'))
  expect(fold('ΟΔΟΣ 7')).toContain(fold('οδοσ'))
  expect(fold('СЕРВЕР')).toBe('сервер')
})

it('instants are written as ISO 8601 in UTC with milliseconds', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(isoInstant(date.getTime())).toBe(date.toISOString())
    }),
  )
})

it('multipliers are parsed from rates with any spaces and case', () => {
  expect([...readMultipliers(' XP : 5 ,Taming:10.5,mating:99,harvest:')]).toEqual([5, 10.5])
  expect([...readMultipliers('xp:-1,taming:1e3,harvest:Infinity,:,,')]).toEqual([])
  expect([...readMultipliers('xp:1,xp:2,taming:2')]).toEqual([2])
})

it('a multiplier that no server has any longer is forgotten', () => {
  const multipliers: Multipliers = new Map()
  replaceRates(multipliers, 1, '', 'xp:2,harvest:3,taming:2')
  replaceRates(multipliers, 2, '', 'xp:3')
  replaceRates(multipliers, 1, 'xp:2,harvest:3,taming:2', 'xp:3,harvest:4')
  expect([...multipliers].map(([multiplier, posting]) => [multiplier, [...membersOf(posting)].sort()])).toEqual([
    [3, [1, 2]],
    [4, [1]],
  ])
  replaceRates(multipliers, 1, 'xp:3,harvest:4', '')
  replaceRates(multipliers, 2, 'xp:3', '')
  expect(multipliers.size).toBe(0)
})

it('the position of each slot is known, also in a long list and after servers moved and left', () => {
  const dice = createDice(13)
  const ranks = Float64Array.from({ length: 10_000 }, (_, slot) => 2 * ((slot * 7_919) % 10_000))
  const list = createSortedSlots()
  const left = new Set<number>()
  const taken = { isTaken: (slot: number) => !left.has(slot), slotsEnd: () => ranks.length }
  const rank = (slot: number) => ranks[slot] ?? 0
  const sorting = {
    sort: (slots: Uint32Array) => slots.sort((a, b) => rank(a) - rank(b)),
    isBefore: (slot: number, other: number) => rank(slot) < rank(other),
  }
  for (let round = 0; round < 3; round++) {
    repair(list, taken, sorting)
    expect([...list.slots].map((slot) => positionOf(list, slot))).toEqual([...list.slots.keys()])
    for (const slot of new Set(Array.from({ length: 50 }, () => dice.below(ranks.length)))) {
      // Odd, so that no two are equal.
      ranks[slot] = 2 * dice.below(1_000_000_000) + 1
      if (dice.below(10) === 0) left.add(slot)
      markChanged(list, slot)
    }
  }
  expect(left.size).toBeGreaterThan(0)
})

it('a number out of range is an error, never undefined', () => {
  for (const index of [-1, 2, Number.NaN]) {
    expect(() => int16At(new Int16Array(2), index)).toThrow(RangeError)
    expect(() => int32At(new Int32Array(2), index)).toThrow(RangeError)
    expect(() => uint32At(new Uint32Array(2), index)).toThrow(RangeError)
    expect(() => float64At(new Float64Array(2), index)).toThrow(RangeError)
    expect(() => numberAt(new Float64Array(2), index)).toThrow(RangeError)
  }
  expect(float64At(Float64Array.of(3, Number.NaN), 1)).toBeNaN()
})
