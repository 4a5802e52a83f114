// The hours of a server in a month as compressed bytes (docs/decisions/0035).
import { HOUR_MS } from '../../platform/durations.ts'
import { createReader, createWriter } from './packed-numbers.ts'
import type { Bucket } from './points.ts'

/** Columns lie one after the other as differences from the hour before, because each compresses better alone. */
export function encodeHours(hours: readonly Bucket[]): Buffer {
  const sorted = hours.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const out = createWriter(sorted.length * 8)
  out.natural(sorted.length)
  const column = (read: (hour: Bucket) => number): void => {
    let before = 0
    for (const hour of sorted) {
      const value = read(hour)
      out.integer(value - before)
      before = value
    }
  }
  column(({ at }) => at.getTime() / HOUR_MS)
  column(({ polls }) => polls)
  column(({ polls, answered }) => polls - answered)
  column(({ playersSum }) => playersSum)
  column(({ playersMax }) => playersMax)
  column(({ maxPlayers }) => maxPlayers)
  return out.pack()
}

/** @throws Error for bytes that `encodeHours` does not write */
export function decodeHours(bytes: Buffer): Bucket[] {
  const input = createReader(bytes)
  const count = input.natural()
  const column = (): number[] => {
    const values: number[] = []
    for (let value = 0; values.length < count; values.push(value)) value += input.integer()
    return values
  }
  // Columns are read in the order of `encodeHours`.
  const hours = column()
  const polls = column()
  const unanswered = column()
  const playersSums = column()
  const playersMaxima = column()
  const maxPlayers = column()
  return hours.map((hour, n) => ({
    at: new Date(hour * HOUR_MS),
    polls: polls[n] ?? 0,
    answered: (polls[n] ?? 0) - (unanswered[n] ?? 0),
    playersSum: playersSums[n] ?? 0,
    playersMax: playersMaxima[n] ?? 0,
    maxPlayers: maxPlayers[n] ?? 0,
  }))
}
