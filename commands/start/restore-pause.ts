// While `npm run restore` fills the embedded database of a running `npm start`, API and worker are stopped: both
// sides of that agreement.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_INTERVAL_MS = 500

const requestFile = (folder: string) => path.join(folder, 'restoring')

/**
 * Asks the launcher of this data folder to stop the processes that use the database, until the returned function is
 * called or this process is gone.
 */
export function requestPause(folder: string): () => void {
  const file = requestFile(folder)
  const making = `${file}.${process.pid}`
  try {
    fs.writeFileSync(making, `${process.pid}\n`, { mode: 0o600 })
    fs.renameSync(making, file) // atomic: on a full disk no file without a pid is left, for which the launcher would wait forever
  } finally {
    fs.rmSync(making, { force: true })
  }
  return () => forgetPause(folder)
}

/** Removes the request of a restore that ended with an earlier launcher: its pid may be another process' by now. */
export const forgetPause = (folder: string): void => fs.rmSync(requestFile(folder), { force: true })

/**
 * Calls `pause` when a restore begins and `resume` when it is over or was killed, until the signal.
 * @throws what they throw
 */
export async function followRestores(
  folder: string,
  signal: AbortSignal,
  { pause, resume }: { pause(): Promise<void>; resume(): Promise<void> },
): Promise<void> {
  const wait = () => sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
  while (!signal.aborted) {
    await wait()
    if (!isRestoring(folder)) continue
    await pause()
    while (!signal.aborted && isRestoring(folder)) await wait()
    if (!signal.aborted) await resume()
  }
}

function isRestoring(folder: string): boolean {
  try {
    process.kill(Number(fs.readFileSync(requestFile(folder), 'utf8')), 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') forgetPause(folder)
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
