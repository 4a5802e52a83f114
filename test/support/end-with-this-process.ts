// Ctrl-C ends vitest without a teardown: what must not outlive it is watched from outside.
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * The server is known by its own file, since there may be none yet: then what is making the cluster fails once its folder is gone.
 * 5 s at most for its end: a process that has ended counts as there until its parent takes note.
 */
const SCRIPT = `read -r _
pid=$(head -n 1 "$0/postgres/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" &&
  for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
for _ in $(seq 20); do rm -rf "$0" 2>/dev/null; sleep 0.1; done`

/**
 * A shell that sees its input end with this process, however that ends, stops the server of a data folder and takes the folder away.
 * @returns the shell, to be ended once both are gone
 */
export function endWithThisProcess(folder: string): ChildProcess {
  return spawn('sh', ['-c', SCRIPT, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}
