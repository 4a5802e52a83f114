// The data folder of `npm start`: creates and locks it, keeps its secrets, and explains errors so that the operator can
// fix them.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type FolderLock, FolderLockedError, lockFolder } from './folder-lock.ts'
import { messageOf, PostgresStartError, reasonFrom } from './postgres-error.ts'

/**
 * Creates the data folder if it is missing, with permissions that let the database user enter it.
 * @throws PostgresStartError if this process can't read and write it
 */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder)
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    // An empty folder was made for this. A non-empty one may be a home directory and keeps its mode. The secrets in it
    // are 0600.
    if (fs.readdirSync(folder).length === 0 && process.getuid?.() === 0) letEnter(folder)
  } catch (cause) {
    throw dataFolderError(folder, cause)
  }
}

/** Replaces mkdir's `recursive`, which Node retries forever on file systems that refuse folders, such as /proc. */
function makeFolder(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  fs.mkdirSync(folder)
  if (process.getuid?.() === 0) letEnter(folder)
}

const letEnter = (folder: string) => fs.chmodSync(folder, fs.statSync(folder).mode | 0o011)

/** Creates the folder if it is missing and locks it for this process. @throws PostgresStartError if it can't be used */
export function lockDataFolder(folder: string): FolderLock {
  prepareFolder(folder)
  try {
    return lockFolder(folder)
  } catch (cause) {
    if (cause instanceof FolderLockedError) throw new PostgresStartError(cause.message, { cause })
    throw dataFolderError(folder, cause)
  }
}

/**
 * Reads a generated secret, or creates it at the first start. Only its owner can read the file.
 * @throws PostgresStartError if it can't be read or written
 */
export function readOrCreateSecret(folder: string, name: 'app-secret' | 'postgres-password'): string {
  const file = path.join(folder, name)
  try {
    const secret = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
    if (secret) return secret
    const made = randomBytes(24).toString('hex')
    const making = `${file}.${process.pid}`
    fs.writeFileSync(making, `${made}\n`, { mode: 0o600 })
    fs.renameSync(making, file) // atomic, also on a full disk
    return made
  } catch (cause) {
    throw dataFolderError(folder, cause)
  }
}

/** Explains the error of a system call on the data folder to the operator. */
export function dataFolderError(folder: string, cause: unknown): PostgresStartError {
  return new PostgresStartError(`data folder ${folder} can’t be used: ${reasonOf(folder, cause)}`, { cause })
}

const ELSEWHERE = 'set DATA_DIR to another folder'

function reasonOf(folder: string, cause: unknown): string {
  const { code, path: file = folder } = cause as NodeJS.ErrnoException
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return deniedAt(nearest(file))
    case 'EROFS':
      return `it is on a read-only file system: ${ELSEWHERE}`
    case 'EEXIST':
    case 'ENOTDIR': {
      const entry = nearest(file)
      const isLink = fs.lstatSync(entry).isSymbolicLink()
      return `${entry} is ${isLink ? 'a broken link' : 'not a folder'}: ${ELSEWHERE}`
    }
    case 'ENOENT':
      return `can’t create a folder in ${path.dirname(file)}: ${ELSEWHERE}`
    case 'ENAMETOOLONG':
      return `its name is too long: ${ELSEWHERE}`
    default:
      return reasonFrom([messageOf(cause)])
  }
}

/** The file itself, or the nearest parent that this user can see. */
function nearest(file: string): string {
  try {
    fs.lstatSync(file)
    return file
  } catch {
    return nearest(path.dirname(file))
  }
}

function deniedAt(file: string): string {
  const { uid } = fs.statSync(file)
  if (uid === process.getuid?.()) return `this user may not read and write ${file}: chmod it, or ${ELSEWHERE}`
  const owner = userName(uid)
  return `${file} belongs to user ${owner}: start as ${owner}, or ${ELSEWHERE}`
}

/** A user's name, or the number if the user has no name here. */
export function userName(uid: number): string {
  return spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' }).stdout?.trim() || String(uid)
}
