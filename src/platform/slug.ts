// Words of a text as a part of an address: `/servers/nordland-pve-5f2c0b7d91ab`.
import { fold } from './fold-text.ts'

const MAX_LENGTH = 60

/**
 * Letters `a` to `z`, digits and single hyphens, at most 60; empty if the text has none of these letters and digits.
 */
export const slugOf = (text: string): string =>
  fold(text)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-$/, '')
