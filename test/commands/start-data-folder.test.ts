// The data folder: any name works, and an unusable folder is reported with what to do.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockDataFolder, readOrCreateSecret } from '../../commands/start/data-folder.ts'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { createCluster } from '../../commands/start/postgres-cluster.ts'
import { startLauncher, temporaryFolder } from './support/start-launcher.ts'

const UNPRIVILEGED_UID = 65534
const isRoot = process.getuid?.() === 0

async function startOn(folder: string) {
  const server = await startPostgres({ folder, database: 'directory', settings: { fsync: 'off' } })
  onTestFinished(() => server.stop())
  return server
}

it('its name may contain spaces, quotes, any script’s letters and characters that a shell expands', async () => {
  const folder = path.join(temporaryFolder(), `the 'data' of "Ünïté" – 数据 $HOME \`x\` \\ & ;`, 'data folder')
  const server = await startOn(folder)
  expect(fs.existsSync(path.join(folder, 'postgres/PG_VERSION'))).toBe(true)
  await server.stop()
  await startOn(folder) // again, with existing data
})

it('one that can’t be created, or is no folder, is refused with the reason', () => {
  const folder = temporaryFolder()
  fs.writeFileSync(path.join(folder, 'file'), '')
  fs.symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'link'))
  const long = path.join(folder, 'x'.repeat(300))
  for (const [given, words] of [
    ['file', `${folder}/file is not a folder`],
    ['file/below', `${folder}/file is not a folder`],
    ['link', `${folder}/link is a broken link`],
    ['x'.repeat(300), 'its name is too long'],
  ] as const)
    expect(() => lockDataFolder(path.join(folder, given))).toThrow(
      `data folder ${path.join(folder, given)} can’t be used: ${words}: set DATA_DIR to another folder`,
    )
  expect(fs.existsSync(long)).toBe(false)
})

it('one below a place where no folder can be made is refused without endless retries', async ({ skip }) => {
  if (process.platform !== 'linux') {
    console.log('skipped: only Linux has such a place for sure, /proc')
    skip()
  }
  const launcher = await startLauncher({ DATA_DIR: '/proc/none/data' })
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toBe(
    'data folder /proc/none/data can’t be used: can’t create a folder in /proc: set DATA_DIR to another folder\n',
  )
})

it('a read-only disk is named as the reason', ({ skip }) => {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    console.log('skipped: a read-only disk can be mounted by root on Linux only')
    skip()
  }
  onTestFinished(() => void execFileSync('umount', [folder]))
  for (const given of [folder, path.join(folder, 'data')])
    expect(() => lockDataFolder(given)).toThrow('it is on a read-only file system: set DATA_DIR to another folder')
})

it('one without permissions for its owner is reported as such', async ({ skip }) => {
  if (isRoot) {
    console.log('skipped: root may do everything')
    skip()
  }
  const folder = path.join(temporaryFolder(), 'closed')
  fs.mkdirSync(folder, { mode: 0o500 })
  expect(() => lockDataFolder(folder)).toThrow(`this user may not read and write ${folder}: chmod it`)
})

it('an ordinary user learns which file in a folder that root used belongs to root', async ({ skip }) => {
  if (!isRoot) {
    console.log('skipped: only root can leave files of another user')
    skip()
  }
  const folder = temporaryFolder()
  fs.chownSync(folder, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
  for (const name of ['launcher.lock', 'app-secret']) {
    const file = path.join(folder, name)
    fs.writeFileSync(file, '', { mode: 0o600 })
    const launcher = await startLauncher({ DATA_DIR: folder }, { uid: UNPRIVILEGED_UID })
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toBe(
      `data folder ${folder} can’t be used: ${file} belongs to user root: start as root, or set DATA_DIR to another folder\n`,
    )
    fs.rmSync(file)
  }
})

it('root leaves an ordinary user’s database alone, and takes over a copy that root made', async ({ skip }) => {
  if (!isRoot) {
    console.log('skipped: only root starts databases of other users')
    skip()
  }
  const folder = temporaryFolder()
  await (await startOn(folder)).stop()
  const cluster = path.join(folder, 'postgres')
  const userName = execFileSync('id', ['-un', String(UNPRIVILEGED_UID)], { encoding: 'utf8' }).trim()
  execFileSync('chown', ['-R', `${UNPRIVILEGED_UID}:${UNPRIVILEGED_UID}`, cluster])
  await expect(startOn(folder)).rejects.toThrow(
    `data folder ${folder} was created by user ${userName}: start as that user, or set DATA_DIR to another folder`,
  )
  expect(fs.statSync(cluster).uid).toBe(UNPRIVILEGED_UID)
  execFileSync('chown', ['-R', '0:0', cluster])
  await startOn(folder)
})

it('files that a killed start of root left do not prevent the owner’s start', async ({ skip }) => {
  if (!isRoot) {
    console.log('skipped: only root can leave files of another user')
    skip()
  }
  const folder = temporaryFolder()
  fs.chownSync(folder, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
  fs.writeFileSync(path.join(folder, 'launcher.pid'), '1\n', { mode: 0o644 })
  const launcher = await startLauncher({ DATA_DIR: folder, PORT: '9', WORKER_PORT: '9' }, { uid: UNPRIVILEGED_UID })
  await launcher.ended
  expect(launcher.output()).toContain('PORT and WORKER_PORT are both 9') // the start passed the data folder
})

it('a secret is created once and kept', () => {
  const folder = temporaryFolder()
  const secret = readOrCreateSecret(folder, 'app-secret')
  expect(secret).toHaveLength(48)
  expect(readOrCreateSecret(folder, 'app-secret')).toBe(secret)
  expect(fs.readdirSync(folder)).toEqual(['app-secret'])
})

it('a project folder whose name PostgreSQL’s programs can’t handle is named', async () => {
  await expect(
    createCluster({
      initdb: '/home/my "own" copy/initdb',
      data: temporaryFolder(),
      password: 'password',
      identity: {},
    }),
  ).rejects.toThrow(
    'PostgreSQL’s programs can’t start from /home/my "own" copy: take ", $, ` and \\ out of the project folder’s name',
  )
})
