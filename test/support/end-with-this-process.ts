// Ctrl-C ends vitest without a teardown: what must not outlive it is watched from outside.
import { type ChildProcess, spawn } from 'node:child_process'

/** 5 s at most: a process that has ended counts as there until its parent takes note. */
const SCRIPT = `read -r _
kill -QUIT "$0"
for _ in $(seq 50); do kill -0 "$0" 2>/dev/null || break; sleep 0.1; done
rm -rf "$1"`

/**
 * A shell that sees its input end with this process, however that ends, stops the server and takes its folder away.
 * @returns the shell, to be ended once both are gone
 */
export function endWithThisProcess(pid: number, folder: string): ChildProcess {
  return spawn('sh', ['-c', SCRIPT, String(pid), folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}
