// A random sample of a stream of unknown length, by reservoir sampling (algorithm R).

export interface RandomSample<Item> {
  add(item: Item): void
  /** At most `size` items. Each item added so far is among them with the same probability. */
  readonly items: readonly Item[]
  /** How many were added. */
  readonly added: number
}

export function createRandomSample<Item>(size: number): RandomSample<Item> {
  const items: Item[] = []
  let added = 0
  return {
    items,
    get added() {
      return added
    },
    add(item) {
      // The n-th item is taken with a chance of size/n, in place of a random one.
      const index = added < size ? added : Math.floor(Math.random() * (added + 1))
      if (index < size) items[index] = item
      added++
    },
  }
}
