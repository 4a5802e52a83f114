// Flags of countries, from a package. Each file is read when it is first requested.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { strongEtag } from '../../platform/http/etag.ts'
import { IMMUTABLE_SECONDS, type Rendered } from '../../platform/http/rendered-reply.ts'

const FOLDER = fileURLToPath(new URL('../../../node_modules/country-flag-icons/3x2', import.meta.url))

export function createFlags() {
  const known = new Set(fs.readdirSync(FOLDER).filter((file) => /^[A-Z]{2}\.svg$/.test(file)))
  const flags = new Map<string, Rendered>()

  /** @param file `DE.svg` @returns undefined if there is no such flag */
  return (file: string): Rendered | undefined => {
    if (!known.has(file)) return undefined
    const read = flags.get(file)
    if (read) return read
    const bytes = fs.readFileSync(`${FOLDER}/${file}`)
    const flag = { bytes, etag: strongEtag(bytes), maxAgeSeconds: IMMUTABLE_SECONDS, gzip: undefined }
    flags.set(file, flag)
    return flag
  }
}
