// `npm run lock`, second half: adds entries to package-lock.json that `npm install` left out. npm omits optional
// packages of other platforms that it could not or need not load, and `npm ci` then rejects the lock with "Missing: …
// from lock file". Entries without `integrity` get the registry's, which their own platform verifies on install.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** A package's platform by the words of its name, as in `@biomejs/cli-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[@/-]/)
  const os = SYSTEMS.find((system) => words.includes(system))
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  if (!os || !cpu) return undefined
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'
  const namesLibc = words.some((word) => /^(musl|gnu)/.test(word))
  return { os, cpu, libc: os === 'linux' && namesLibc ? libc : undefined }
}

/** Whether `name`, required by the package at `from`, is found at any level of node_modules above it. */
function isListed(packages, from, name) {
  const levels = from.split('/node_modules/')
  return levels.some((_, depth) => {
    const parent = levels.slice(0, depth + 1).join('/node_modules/')
    return packages[`${parent}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
  })
}

/** @returns the registry's Subresource Integrity hash of one version, which `npm ci` verifies */
async function integrityOf(name, version) {
  const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'])
  const integrity = JSON.parse(stdout)
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)) throw new Error(`no integrity known of ${name}@${version}`)
  return integrity
}

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
const added = {}
const unknown = []
for (const [from, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isListed(lock.packages, from, name)) continue
    const platform = platformOf(name)
    const isHere = platform?.os === process.platform && platform.cpu === process.arch && platform.libc !== 'musl'
    if (!platform || isHere || !/^\d+\.\d+\.\d+/.test(version)) {
      unknown.push(`${name}@${version} of ${from || 'package.json'}`)
      continue
    }
    const { os, cpu, libc } = platform
    added[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc ? { libc: [libc] } : {}),
      optional: true,
      os: [os],
    }
  }
}

const all = { ...lock.packages, ...added }
const unhashed = Object.entries(all).filter(([at, { integrity, link }]) => at && !integrity && !link)
for (const [at, entry] of unhashed) {
  const name = entry.name ?? at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { version, ...rest } = entry
  all[at] = { version, integrity: await integrityOf(name, version), ...rest }
}

const packages = Object.entries(all).sort(([a], [b]) => a.localeCompare(b, 'en'))
fs.writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
process.stdout.write(
  `${file}: ${Object.keys(added).length} platform entries put back, ${unhashed.length} hashes added\n`,
)
if (unknown.length) {
  process.stderr.write(`can’t derive the platform of ${unknown.join(', ')}: install or pin it by hand\n`)
  process.exitCode = 1
}
