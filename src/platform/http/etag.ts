// Entity tags (RFC 9110 §8.8.3) made from a reply's bytes.
import { createHash } from 'node:crypto'

/** A strong tag, of bytes that are sent as they are. */
export const strongEtag = (bytes: Buffer): string => `"${digest(bytes)}"`
/** A weak tag, of a reply that is compressed on the way. */
export const weakEtag = (bytes: Buffer): string => `W/"${digest(bytes)}"`

/** 132 bits: enough that no two versions of a reply share them. */
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
