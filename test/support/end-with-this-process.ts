// Ctrl-C ends vitest without a teardown, so another process cleans up.
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Reads the server's pid from its file. Without one, initdb is still running and fails once its folder is gone.
 * Waits at most 5 s: an ended process counts as running until its parent reaps it.
 */
const SCRIPT = `read -r _
pid=$(head -n 1 "$0/postgres/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" &&
  for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
for _ in $(seq 20); do rm -rf "$0" 2>/dev/null; sleep 0.1; done`

/**
 * Starts a shell whose input ends with this process. It then stops the data folder's server and removes the folder.
 * @returns the shell; end it once both are gone
 */
export function endWithThisProcess(folder: string): ChildProcess {
  return spawn('sh', ['-c', SCRIPT, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}
