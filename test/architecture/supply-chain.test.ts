// Checks what comes from outside and what must not be in the repository: lockfile, licences, install scripts, secrets.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLockedPackages, renderLicences } from '../../dev/licences/list.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const packages = readLockedPackages(path.join(ROOT, 'package-lock.json'))
const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}

/** Packages below `prisma`, the generator, whose licence the rule rejects or does not find. */
const BUILD_ONLY = new Set([
  'elkjs', // EPL-2.0
  '@visx/vendor', // MIT and ISC
  'seq-queue', // MIT, stated only in its readme
])

/** Shipped, with a licence that the rule rejects; docs/decisions/0056 says why it may be. Only these families. */
const BY_DECISION: [name: RegExp, licence: RegExp][] = [
  // libvips, loaded as a shared library of its own, unchanged, and only by workers.
  [/^@img\/sharp-(libvips-|win32-|wasm32$)/, /^(Apache-2\.0 AND )?LGPL-3\.0-or-later( AND MIT)?$/],
  // A font, which is not modified and not sold by itself.
  [/^@expo-google-fonts\/noto-sans$/, /^MIT AND OFL-1\.1$/],
]
const isByDecision = ({ name, licence }: { name: string; licence: string }) =>
  BY_DECISION.some(([names, licences]) => names.test(name) && licences.test(licence))

describe('the packages', () => {
  it('are each pinned to one version', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    for (const wanted of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      expect(wanted).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/)
  })

  it('come from the registry, not from a git repository, a file or a URL', () => {
    for (const { resolved } of packages)
      if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//)
  })

  it('each have a hash, including those of other platforms', () => {
    const unknown = packages.filter(({ integrity = '' }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    expect(unknown.map(({ name }) => name)).toEqual([])
  })

  it('run only install scripts that are allowed by name', () => {
    const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    for (const name of scripted) expect(manifest.allowScripts).toHaveProperty([name])
  })

  it('have licences that permit redistribution', () => {
    const allowed =
      /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0|PSF-2\.0|MPL-2\.0|Zlib|PostgreSQL|MIT OR Apache-2\.0|\(MIT OR Apache-2\.0\)|\(MIT AND Zlib\)|\(MIT OR CC0-1\.0\))$/
    expect(
      packages
        .filter((one) => !allowed.test(one.licence) && !BUILD_ONLY.has(one.name) && !isByDecision(one))
        .map(({ name, licence }) => `${name}: ${licence}`),
    ).toEqual([])
  })

  it('are build tools only when their licence is another', () => {
    const shipped = packages.filter(({ name, dev, devOptional }) => BUILD_ONLY.has(name) && !dev && !devOptional)
    expect(shipped.map(({ name }) => name)).toEqual([])
  })

  it('are listed with their licences in docs/LICENCES.md, which `npm run licences` writes', () => {
    expect(fs.readFileSync(path.join(ROOT, 'docs/LICENCES.md'), 'utf8')).toBe(renderLicences(packages))
  })
})

/** Patterns of real secrets. Placeholders in tests and documents are shorter or say that they are not real. */
const SECRETS: [what: string, shape: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a live key of the payment provider', /\b[sr]k_live_[0-9a-zA-Z]{16,}/],
  ['a token of a code host', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|glpat-[\w-]{20})/],
  ['a key of a cloud', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of the package registry', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a token of a chat bot', /\b[MN][A-Za-z\d]{23}\.[\w-]{6}\.[\w-]{27,}/],
  ['a webhook address of a chat', /discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/[\w-]{50,}/],
  [
    'a password in an address',
    /\b(?:postgres(?:ql)?|redis|smtps?):\/\/[^\s:/'"`$<>]+:(?!(?:password|secret|\$|hunter2)[^@]*@)[^\s@'"`$<>]{16,}@/,
  ],
]

it('no file of the project holds a secret', () => {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    .toString()
    .split('\0')
    .filter((file) => file && fs.existsSync(path.join(ROOT, file)))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'latin1')
    return SECRETS.filter(([, shape]) => shape.test(text)).map(([what]) => `${file}: ${what}`)
  })
  expect(found).toEqual([])
})

it.each([
  ['a private key', '-----BEGIN RSA '.concat('PRIVATE KEY-----')],
  ['a live key of the payment provider', 'sk_'.concat('live_51Habcdefghijklmnop')],
  ['a password in an address', 'postgres://directory:'.concat('Xq3fLz81Kp0sWm9d@db.example.com/directory')],
])('%s is detected', (what, secret) => {
  expect(SECRETS.filter(([, shape]) => shape.test(secret)).map(([name]) => name)).toContain(what)
})
