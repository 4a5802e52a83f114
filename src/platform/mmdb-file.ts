// Opens files in the MMDB format that settings name.
import fs from 'node:fs'
import { Reader, type Response } from 'mmdb-lib'
import { reasonOf } from './error-reason.ts'

/** Reads the file into memory. @throws Error that names the setting if it can't be read */
export function openMmdb<Row extends Response>(
  setting: 'COUNTRY_DATABASE' | 'NETWORK_OWNER_DATABASE',
  file: string,
): Reader<Row> {
  try {
    return new Reader<Row>(fs.readFileSync(file))
  } catch (cause) {
    throw new Error(`bad setting: ${setting} must be a file in the MMDB format: ${reasonOf(cause)}`, { cause })
  }
}
