// Programs of the system that a test runs: where they are, and what it says when it goes without.
import fs from 'node:fs'
import path from 'node:path'

/** Debian's games are not on everybody's PATH. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/games']

/** @returns its path; undefined: it is not installed */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => path.join(folder, name)).find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** For `skipIf`: whether one of the programs is not installed, which is printed. */
export function isMissing(...names: string[]): boolean {
  const missing = names.filter((name) => !findProgram(name))
  if (missing.length) console.log(`skipped: ${missing.join(', ')} not installed`)
  return missing.length > 0
}
