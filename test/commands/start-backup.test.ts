// Backup and restore of the embedded database of `npm start`, while that runs and while it does not.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { requestPause } from '../../commands/start/restore-pause.ts'
import { begin, contentOf, temporaryFile } from '../support/backups.ts'
import { NODE_ARGS } from '../support/node.ts'
import { isUsed, type RunningLauncher, startLauncher, temporaryFolder } from './support/start-launcher.ts'

const UNPRIVILEGED_UID = 65534
const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }
const ACCOUNT = { email: 'me@example.com', password: 'plough the 7 seas', username: 'Me' }

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const logIn = async ({ apiUrl }: RunningLauncher) => {
  const { email, password } = ACCOUNT
  return (await post(`${apiUrl}/api/auth/login`, { email, password })).status
}

async function untilRunning(launcher: RunningLauncher): Promise<RunningLauncher> {
  await vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), WAIT_OPTIONS)
  return launcher
}

async function stop(launcher: RunningLauncher): Promise<void> {
  launcher.kill('SIGINT')
  expect(await launcher.ended).toBe(0)
}

/** @param target what the command says of the database before it begins */
async function expectDone(
  command: 'backup' | 'restore',
  args: string[],
  DATA_DIR: string,
  target: string,
): Promise<void> {
  const { code, out } = await begin(command, args, { DATA_DIR }).ended
  expect(code, out).toBe(0)
  expect(out.split('\n')).toContain(`database: ${target}`)
}

it('the embedded database is backed up and restored, while the directory runs and while it does not', async () => {
  const folder = path.join(temporaryFolder(), 'data')
  const [running, stopped, copied] = [temporaryFile('running'), temporaryFile('stopped'), temporaryFile('copied')]
  const first = await untilRunning(await startLauncher({ DATA_DIR: folder }))
  expect((await post(`${first.apiUrl}/api/auth/register`, ACCOUNT)).status).toBe(201)
  await expectDone('backup', [running], folder, `that of the running \`npm start\` in ${folder}`)
  expect((await contentOf(running)).users).toMatch(/^1 /)
  await stop(first)
  await expectDone('backup', [stopped], folder, `the embedded one in ${folder}`)
  expect((await contentOf(stopped)).users).toBe((await contentOf(running)).users)
  expect(isUsed(folder)).toBe(false)

  // Interrupted while the database starts, which is stopped again.
  const interrupted = begin('backup', [temporaryFile('interrupted')], { DATA_DIR: folder })
  const pidFile = path.join(folder, 'postgres/postmaster.pid')
  await vi.waitFor(() => expect(fs.existsSync(pidFile)).toBe(true), { ...WAIT_OPTIONS, interval: 1 })
  interrupted.child.kill('SIGINT')
  expect(await interrupted.ended).toMatchObject({ code: 130 })
  expect(isUsed(folder)).toBe(false)

  // Into a folder that has none yet, and with nothing left running.
  const copy = path.join(temporaryFolder(), 'data')
  await expectDone('restore', [stopped], copy, `the embedded one in ${copy} (will be created)`)
  await expectDone('backup', [copied], copy, `the embedded one in ${copy}`)
  expect(await contentOf(copied)).toEqual(await contentOf(stopped))
  expect(isUsed(copy)).toBe(false)

  // Into a running, new directory, where no user can log in yet. Its worker must not act for the
  // backed-up installation.
  const other = await untilRunning(await startLauncher())
  expect(await logIn(other)).toBe(401)
  const target = other.env.DATA_DIR ?? ''
  await expectDone('restore', [stopped], target, `that of the running \`npm start\` in ${target}`)
  await vi.waitFor(async () => expect(await logIn(other)).toBe(200), WAIT_OPTIONS)
  await vi.waitFor(() => expect(other.output()).toContain('this database is a restored copy'), WAIT_OPTIONS)
  expect(fs.existsSync(path.join(other.env.DATA_DIR ?? '', 'restoring'))).toBe(false)

  // One that is killed meanwhile leaves the directory as it was, and running again.
  const killed = begin('restore', [stopped, '--replace'], { DATA_DIR: other.env.DATA_DIR ?? '' })
  const pauses = () => other.output().split('a restore begins').length
  await vi.waitFor(() => expect(pauses()).toBe(3), { ...WAIT_OPTIONS, interval: 5 })
  killed.child.kill('SIGKILL')
  await vi.waitFor(() => expect(other.output().split('the restore is over').length).toBe(3), WAIT_OPTIONS)
  await vi.waitFor(async () => expect(await logIn(other)).toBe(200), WAIT_OPTIONS)
  await stop(other)
})

it('a restore that ended with an earlier start does not stop API and worker, whichever process has its pid now', async () => {
  const folder = temporaryFolder()
  fs.writeFileSync(path.join(folder, 'restoring'), `${process.pid}\n`)
  const launcher = await untilRunning(await startLauncher({ DATA_DIR: folder }))
  await setTimeout(1_500) // three looks for a restore
  expect(launcher.output()).not.toContain('a restore begins')
  expect((await fetch(`${launcher.apiUrl}/readyz`)).status).toBe(200)
  await stop(launcher)
})

it('a restore that can’t write its request on a full disk does not stop API and worker', async ({ skip }) => {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    console.log('skipped: a small disk can be mounted by root on Linux only')
    skip()
  }
  onTestFinished(() => void execFileSync('umount', [folder]))
  expect(() => fs.writeFileSync(path.join(folder, 'full'), Buffer.alloc(1_000_000))).toThrow('ENOSPC')
  expect(() => requestPause(folder)).toThrow('ENOSPC')
  expect(fs.readdirSync(folder)).toEqual(['full'])
})

it('another user learns whose database it is', async ({ skip }) => {
  if (process.getuid?.() !== 0) {
    console.log('skipped: only root can run a command as another user')
    skip()
  }
  const folder = temporaryFolder()
  fs.mkdirSync(path.join(folder, 'postgres'), { mode: 0o700 })
  fs.writeFileSync(path.join(folder, 'postgres/PG_VERSION'), '18\n')
  const { status, stderr } = spawnSync(process.execPath, [...NODE_ARGS, 'commands/backup/main.ts', '/tmp/none'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    uid: UNPRIVILEGED_UID,
    encoding: 'utf8',
  })
  expect(stderr).toBe(
    `backup: data folder ${folder} can’t be used: ${folder}/postgres belongs to user root: start as root, or set DATA_DIR to another folder\n`,
  )
  expect(status).toBe(1)
})

it('without a database there is nothing to back up, and none is made', async () => {
  const folder = path.join(temporaryFolder(), 'data')
  const { code, out } = await begin('backup', [temporaryFile('file')], { DATA_DIR: folder }).ended
  expect(out).toBe(`backup: no database: DATABASE_URL is not set, and ${folder} holds none\n`)
  expect(code).toBe(1)
  expect(fs.existsSync(folder)).toBe(false)
})
