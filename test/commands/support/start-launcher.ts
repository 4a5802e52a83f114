// Runs `npm start` as a process with its own folder and ports; ends it and its children after the test.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { NODE_ARGS } from '../../support/node.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const MAIN = path.join(ROOT, 'commands/start/main.ts')

export interface RunningLauncher {
  pid: number
  env: Record<string, string>
  apiUrl: string
  workerUrl: string
  output(): string
  /** The exit code, or the signal that ended the process. */
  ended: Promise<number | NodeJS.Signals | null>
  kill(signal: NodeJS.Signals): void
}

/** Registers a cleanup: for the test, or with vitest's `afterAll` for the file. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/** A folder that the database user can enter, removed afterwards. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-launcher-'))
  fs.chmodSync(folder, 0o755)
  atEnd(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface LauncherOptions {
  args?: string[]
  uid?: number
  throughNpm?: boolean
  /** The file that gets its output, instead of `output()`. */
  writesTo?: string
  /** When to end it: with the test unless given. */
  atEnd?: AtEnd
}

/** @param env settings besides the ports; `DATA_DIR` is a new folder unless given */
export async function startLauncher(
  env: Record<string, string> = {},
  { args = [], uid, throughNpm = false, writesTo, atEnd = onTestFinished }: LauncherOptions = {},
): Promise<RunningLauncher> {
  const port = await freePort()
  let workerPort = await freePort()
  while (workerPort === port) workerPort = await freePort()
  const settings = {
    DATA_DIR: env.DATA_DIR ?? path.join(temporaryFolder(atEnd), 'data'),
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    ...env,
  }
  const [program, ...given] = throughNpm ? ['npm', 'start', '--'] : [process.execPath, ...NODE_ARGS, MAIN]
  const stdout = writesTo === undefined ? 'pipe' : fs.openSync(writesTo, 'w')
  const child = spawn(program ?? '', [...given, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', stdout, 'pipe'],
    ...(uid ? { uid, gid: uid } : {}),
  })
  if (typeof stdout === 'number') fs.closeSync(stdout)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  )
  const pid = child.pid ?? 0
  atEnd(async () => {
    for (const started of descendants(pid)) tryKill(started.pid)
    child.kill('SIGKILL')
    const leftover = postmasterPid(settings.DATA_DIR)
    if (leftover) tryKill(leftover)
    await ended
  })
  return {
    pid,
    env: settings,
    apiUrl: `http://127.0.0.1:${settings.PORT}`,
    workerUrl: `http://127.0.0.1:${settings.WORKER_PORT}`,
    output: () => output,
    ended,
    kill: (signal) => child.kill(signal),
  }
}

interface Process {
  pid: number
  parent: number
  command: string
}

/** Every running descendant of the process. */
export function descendants(pid: number): Process[] {
  const all = processes()
  const below = (parent: number): Process[] =>
    all.filter((process) => process.parent === parent).flatMap((process) => [process, ...below(process.pid)])
  return below(pid)
}

/** The running descendant whose command line contains `part`. */
export function descendant(pid: number, part: string): Process | undefined {
  return descendants(pid).find((process) => process.command.includes(part))
}

function processes(): Process[] {
  if (!fs.existsSync('/proc/self/stat')) {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
    return lines.flatMap((line) => {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : []
    })
  }
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === 'Z') return []
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(parent), command }]
    } catch {
      return [] // it has ended since
    }
  })
}

/** Whether a running program has this folder in its command line. */
export function isUsed(folder: string): boolean {
  return processes().some(({ command }) => command.includes(folder))
}

export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid)
}

/** Pid of a data folder's database server while it runs. */
export function postmasterPid(folder: string): number | undefined {
  const file = path.join(folder, 'postgres/postmaster.pid')
  const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined
  return pid && isRunning(pid) ? pid : undefined
}

export function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}
