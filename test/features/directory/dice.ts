// Random choices that a seed repeats.

export interface Dice {
  /** @returns a whole number from 0 to below `end` */
  below(end: number): number
  pick<T>(values: readonly T[]): T
  /** @returns a random part of a text, cut between characters */
  part(text: string): string
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const below = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
  return {
    below,
    pick(values) {
      const picked = values[below(values.length)]
      if (picked === undefined) throw new RangeError('nothing to pick from')
      return picked
    },
    part(text) {
      const characters = [...text]
      const from = below(characters.length)
      return characters.slice(from, from + 1 + below(5)).join('')
    },
  }
}
