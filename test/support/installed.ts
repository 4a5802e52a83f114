// Finds the system's programs that a test runs and prints the ones that are missing.
import fs from 'node:fs'
import path from 'node:path'

/** Not every PATH has Debian's games folder. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/games']

/** @returns the program's path; undefined if it is not installed */
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

/** For `skipIf`: prints and returns whether one of the programs is not installed. */
export function isMissing(...names: string[]): boolean {
  const missing = names.filter((name) => !findProgram(name))
  if (missing.length) console.log(`skipped: ${missing.join(', ')} not installed`)
  return missing.length > 0
}
