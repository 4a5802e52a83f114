// Players of the last 24 hours by server, for lists that show them as a line.
import { HOUR_MS } from '../../../platform/durations.ts'

const HOURS = 24
/** Stored for hours without an answered poll. */
const UNKNOWN = 0xffff

/** A ring of 24 hours: 48 bytes a server, none before the first hour. */
export function createPlayerHours(slotsEnd: () => number) {
  /** The hour (hours since the epoch) at each index of the ring (`ringIndexOf`). */
  const hours = new Array<number>(HOURS).fill(-1)
  const players = Array.from({ length: HOURS }, () => new Uint16Array(0))
  /** Slots of servers that came after hours were read, which are to be read for them too. */
  const added = new Set<number>()
  const numberOf = (time: number) => Math.floor(time / HOUR_MS)
  const ringIndexOf = (hour: number) => ((hour % HOURS) + HOURS) % HOURS

  return {
    /** @param time start of the hour (epoch ms), as everywhere here */
    has: (time: number) => hours[ringIndexOf(numberOf(time))] === numberOf(time),
    /** Begins an hour without players, and drops the same hour of the day before. */
    begin(time: number): void {
      const hour = numberOf(time)
      hours[ringIndexOf(hour)] = hour
      players[ringIndexOf(hour)] = new Uint16Array(slotsEnd()).fill(UNKNOWN)
    },
    set(time: number, slot: number, count: number): void {
      const index = ringIndexOf(numberOf(time))
      let ofHour = players[index] ?? new Uint16Array(0)
      if (slot >= ofHour.length) {
        const longer = new Uint16Array(slotsEnd()).fill(UNKNOWN)
        longer.set(ofHour)
        ofHour = longer
        players[index] = longer
      }
      ofHour[slot] = Math.min(count, UNKNOWN - 1)
    },
    /** A server came, or came back. */
    add(slot: number): void {
      if (hours.some((hour) => hour !== -1)) added.add(slot)
    },
    /** @returns the slots of servers that came since the last call */
    takeAdded(): number[] {
      const slots = [...added]
      added.clear()
      return slots
    },
    drop(time: number): void {
      hours[ringIndexOf(numberOf(time))] = -1
    },
    /** The server left. */
    clear(slot: number): void {
      added.delete(slot)
      for (const ofHour of players) if (slot < ofHour.length) ofHour[slot] = UNKNOWN
    },
    /** Average players of the last 24 whole hours, oldest first; null: none known. @param now epoch ms */
    of(slot: number, now: number): (number | null)[] {
      const end = numberOf(now)
      return Array.from({ length: HOURS }, (_, index) => {
        const hour = end - HOURS + index
        const count = hours[ringIndexOf(hour)] === hour ? players[ringIndexOf(hour)]?.[slot] : undefined
        return count === undefined || count === UNKNOWN ? null : count
      })
    },
  }
}
