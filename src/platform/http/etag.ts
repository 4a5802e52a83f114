// Entity tags (RFC 9110 §8.8.3) computed from a reply's bytes.
import { createHash } from 'node:crypto'

/** A strong tag, for bytes sent as they are. */
export const strongEtag = (bytes: Buffer): string => `"${digest(bytes)}"`
/** A weak tag, for a reply compressed on the way. */
export const weakEtag = (bytes: Buffer): string => `W/"${digest(bytes)}"`

/** 132 bits, which makes collisions practically impossible. */
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
