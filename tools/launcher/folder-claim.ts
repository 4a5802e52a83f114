// One launcher a data folder: an operating system lock that ends with its process, however that ends.
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The folder belongs to another process that runs now. */
export class FolderClaimedError extends Error {
  override name = 'FolderClaimedError'
}

export interface FolderClaim {
  /** Whether the last holder ended without releasing: killed, or the machine went down. */
  afterKill: boolean
  release(): void
}

/**
 * Claims an existing folder for this process.
 * The lock is SQLite's on a file, because a pid file alone can't tell a living holder from a reused pid,
 * and two starters can't take over the same stale one.
 * @throws FolderClaimedError naming the process that holds it
 */
export function claimFolder(folder: string): FolderClaim {
  const holder = path.join(folder, 'launcher.pid')
  const lockFile = path.join(folder, 'launcher.lock')
  if (fs.existsSync(lockFile)) fs.accessSync(lockFile, fs.constants.R_OK | fs.constants.W_OK) // SQLite would not say why
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    if (!(cause as Error).message.includes('locked')) throw cause
    const pid = fs.existsSync(holder) ? ` (process ${fs.readFileSync(holder, 'utf8').trim()})` : ''
    throw new FolderClaimedError(
      `data folder ${folder} is in use by another start${pid}: stop that first, or set DATA_DIR to another folder`,
      { cause },
    )
  }
  const afterKill = fs.existsSync(holder)
  fs.rmSync(holder, { force: true }) // after a kill it may be another user's
  fs.writeFileSync(holder, `${process.pid}\n`)
  return {
    afterKill,
    release() {
      if (!lock.isOpen) return
      fs.rmSync(holder, { force: true })
      lock.close()
    },
  }
}
