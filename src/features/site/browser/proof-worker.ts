// Solves a challenge in a worker: tries counters until the key derived from one begins as required (ALTCHA, version 2).
import type { Challenge } from './proof.ts'

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

addEventListener('message', async ({ data }: MessageEvent<Challenge['parameters']>) => {
  const nonce = bytesOf(data.nonce)
  const password = new Uint8Array(nonce.length + 4)
  password.set(nonce)
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(data.salt), iterations: data.cost }
  for (let counter = 0; ; counter++) {
    new DataView(password.buffer).setUint32(nonce.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(await crypto.subtle.deriveBits(derivation, key, data.keyLength * 8))
    if (derivedKey.startsWith(data.keyPrefix)) return postMessage({ counter, derivedKey })
  }
})
