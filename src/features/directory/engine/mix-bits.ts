// Random numbers that every process computes equally from a server and a seed.
import { hash } from 'node:crypto'

/** @returns a signed 32-bit integer (the finalizer of MurmurHash3); distinct values stay distinct under a seed */
export function mixBits(value: number, seed: number): number {
  let mixed = value ^ seed
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** @returns the number of a seed that clients send */
export const seedNumber = (seed: string): number => hash('sha256', seed, 'buffer').readInt32LE()
