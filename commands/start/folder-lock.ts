// One launcher per data folder: an operating system lock that ends with the process.
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another running process has the folder. */
export class FolderLockedError extends Error {
  override name = 'FolderLockedError'
}

export interface FolderLock {
  /** Whether the last holder ended without releasing the lock: killed, or the machine crashed. */
  afterKill: boolean
  release(): void
}

/**
 * Locks an existing folder for this process. SQLite holds the lock on a file: a pid file can't distinguish a running
 * holder from a reused pid, and two starters could take over the same stale pid file.
 * @throws FolderLockedError naming the process that has it
 */
export function lockFolder(folder: string): FolderLock {
  const holder = path.join(folder, 'launcher.pid')
  const lockFile = path.join(folder, 'launcher.lock')
  if (fs.existsSync(lockFile)) fs.accessSync(lockFile, fs.constants.R_OK | fs.constants.W_OK) // SQLite would not report the reason
  const file = new DatabaseSync(lockFile)
  try {
    file.exec('begin exclusive')
  } catch (cause) {
    file.close()
    if (!(cause as Error).message.includes('locked')) throw cause
    const pid = fs.existsSync(holder) ? ` (process ${fs.readFileSync(holder, 'utf8').trim()})` : ''
    throw new FolderLockedError(
      `data folder ${folder} is in use by another start${pid}: stop that first, or set DATA_DIR to another folder`,
      { cause },
    )
  }
  const afterKill = fs.existsSync(holder)
  fs.rmSync(holder, { force: true }) // a killed process may leave one of another user
  fs.writeFileSync(holder, `${process.pid}\n`)
  return {
    afterKill,
    release() {
      if (!file.isOpen) return
      fs.rmSync(holder, { force: true })
      file.close()
    },
  }
}
