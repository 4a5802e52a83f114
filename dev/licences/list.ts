// Every package in the lockfile with its licence: what is shipped (production), and what is only used to build and
// test.
import fs from 'node:fs'

interface LockEntry {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  os?: string[]
}

export interface LockedPackage extends LockEntry {
  name: string
  /** Path in node_modules, for example `node_modules/a/node_modules/b`. */
  path: string
  /** Licence as an SPDX expression. A platform variant of a package has the licence of its siblings. */
  licence: string
}

/** gbxremote states it in an obsolete field, emitter-component in its repository (component/emitter). */
const LICENCES_BY_HAND: Record<string, string> = { 'emitter-component': 'MIT', gbxremote: 'MIT' }

/**
 * The lockfile has only the name and version of packages for other platforms. They have the licence of the package of
 * which they are a variant, which their names start with.
 */
export function readLockedPackages(file: string): LockedPackage[] {
  const { packages } = JSON.parse(fs.readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }
  const entries = Object.entries(packages).filter(([path]) => path !== '')
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const known = new Map(entries.flatMap(([path, { license }]) => (license ? [[nameOf(path), license] as const] : [])))

  function licenceOf(name: string, license: string | undefined): string {
    const said = license ?? LICENCES_BY_HAND[name]
    if (said) return said
    const family = name.replace(
      /[-.](android|darwin|freebsd|linux|openbsd|openharmony|netbsd|sunos|win32|wasm32|aix).*$/,
      '',
    )
    const sibling = [...known].find(([other]) => other.startsWith(family) && other !== name)
    return sibling?.[1] ?? known.get(family) ?? 'unknown'
  }
  return entries.map(([path, entry]) => ({
    ...entry,
    path,
    name: nameOf(path),
    licence: licenceOf(nameOf(path), entry.license),
  }))
}

/** The list in the format of docs/LICENCES.md. */
export function renderLicences(packages: LockedPackage[]): string {
  const shipped = packages.filter(({ dev, devOptional }) => !dev && !devOptional)
  const others = packages.filter(({ dev, devOptional }) => dev || devOptional)
  return `# Licences

Every package of the lockfile. Made by \`npm run licences\`; a test compares it with the lockfile.

## What is shipped

${byLicence(shipped)}
## What only builds and tests it

${byLicence(others)}`
}

function byLicence(packages: LockedPackage[]): string {
  const groups = Map.groupBy(packages, ({ licence }) => licence)
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, members]) => {
      const names = [...new Set(members.map(({ name, version }) => `${name} ${version}`))].sort()
      return `**${licence}** (${names.length}): ${names.join(', ')}\n`
    })
    .join('\n')
}
