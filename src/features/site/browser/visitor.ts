// What a visitor's browser remembers of votes: an id made here, and what was typed.
const KEY = 'visitor'

export interface Visitor {
  id: string
  username: string
  gamePlatformId: string
}

/** A new one where the browser keeps nothing. */
export function readVisitor(): Visitor {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Visitor>
    if (known.id) return { id: known.id, username: known.username ?? '', gamePlatformId: known.gamePlatformId ?? '' }
  } catch {
    // Damaged, or storage is forbidden: as if there were none.
  }
  // Not `randomUUID`, which only secure contexts have.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return {
    id: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    username: '',
    gamePlatformId: '',
  }
}

export function keepVisitor(visitor: Visitor): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(visitor))
  } catch {
    // Then the cooldown of the address remains.
  }
}

export const hasVisited = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
