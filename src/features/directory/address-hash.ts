// Addresses as the columns keep them: four bytes each.

/** 32 bits of an address (FNV-1a): what the columns keep of it. Lower case, as addresses are stored. */
export function hashAddress(address: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
