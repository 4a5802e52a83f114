// How random tokens are stored: the database holds only hashes.
import { createHash } from 'node:crypto'

/** SHA-256 of a token of at least 128 random bits, which needs neither salt nor stretching. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
