// Stores a generated id and the last input of the vote form in the visitor's browser.
const KEY = 'visitor'

export interface Visitor {
  id: string
  username: string
  gamePlatformId: string
}

/** @returns undefined if there is none: storage is empty, damaged or forbidden */
export function readVisitor(): Visitor | undefined {
  try {
    const { id, username = '', gamePlatformId = '' } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Visitor>
    return id ? { id, username, gamePlatformId } : undefined
  } catch {
    return undefined
  }
}

export function newVisitor(): Visitor {
  // `randomUUID` exists only in secure contexts.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { id, username: '', gamePlatformId: '' }
}

export function storeVisitor(visitor: Visitor): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(visitor))
  } catch {
    // If nothing can be stored, only the cooldown of the IP address applies.
  }
}
