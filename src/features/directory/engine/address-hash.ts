// Addresses as the columns store them: four bytes each.

/** A 32-bit hash of an address (FNV-1a). Addresses are stored in lower case. */
export function hashAddress(address: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
