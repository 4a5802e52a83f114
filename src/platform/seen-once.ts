// Lets a cache keep only what is asked for again: what is asked for once would fill it, and cost more than it saves.
import { hashText } from './hash-text.ts'

const REMEMBERED = 4096

/** @returns whether a key was asked for lately. Keys with the same hash count as the same; old ones are forgotten. */
export function createSeenOnce(): (key: string) => boolean {
  const hashes = new Uint32Array(REMEMBERED)
  return (key) => {
    const hash = hashText(key)
    const place = hash % REMEMBERED
    const isKnown = hashes[place] === hash
    hashes[place] = hash
    return isKnown
  }
}
