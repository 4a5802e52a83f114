// What browsers load: our modules with their types stripped, the packages they import, and the style sheet, all from memory.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { strongEtag } from '../../platform/http/etag.ts'
import { IMMUTABLE_SECONDS, type Rendered } from '../../platform/http/reply.ts'

/** Only files of these folders reach a browser. */
const FOLDERS = ['browser', 'components'] as const
const STYLES = ['site.css']

/** Packages that browser modules may import, by name: the file, and what makes a module of a plain script. */
const PACKAGES: Record<string, { file: string; exports?: string }> = {
  preact: { file: 'preact/dist/preact.mjs' },
  htm: { file: 'htm/dist/htm.mjs' },
  // The package's own module is not minified.
  uplot: { file: 'uplot/dist/uPlot.iife.min.js', exports: 'export default uPlot' },
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export interface Assets {
  /** Address of a file that changes with the content of any: `browser/directory.ts`, `site.css`. */
  href(name: string): string
  /** The import map as JSON, and its SHA-256 in base64 for the Content-Security-Policy. */
  importMap: string
  importMapHash: string
  /** Addresses of a module and all that it imports at its start. */
  modulesOf(name: string): string[]
  /** @param version of the requested address @returns undefined if there is no such file */
  read(version: string, name: string): Promise<{ contentType: string; rendered: Rendered }> | undefined
}

const folder = import.meta.dirname

/** Reads everything once; compresses a file at its first request. */
export function createAssets(): Assets {
  const modules = FOLDERS.flatMap((part) =>
    fs
      .readdirSync(path.join(folder, part))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${part}/${file}`),
  )
  const files = stripTypes(modules)
  const styles = [...STYLES.map((name) => path.join(folder, name)), packageFile('uplot/dist/uPlot.min.css')]
  files.set('site.css', styles.map((file) => fs.readFileSync(file, 'utf8')).join('\n'))
  for (const [name, { file, exports = '' }] of Object.entries(PACKAGES))
    files.set(`packages/${name}.js`, withoutSourceMap(fs.readFileSync(packageFile(file), 'utf8')) + exports)

  const version = digest([...files].flat().join('\0'), 'base64url').slice(0, 12)
  const href = (name: string) => `/assets/${version}/${name}`
  const imports = Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, href(`packages/${name}.js`)]))
  const importMap = JSON.stringify({ imports })
  const rendered = new Map<string, Promise<Rendered>>()

  return {
    href,
    importMap,
    importMapHash: digest(importMap, 'base64'),
    modulesOf: (name) => [...reached(files, name, new Set())].map(href),
    read(asked, name) {
      const text = files.get(name)
      if (text === undefined) return undefined
      const found = rendered.get(name) ?? compress(Buffer.from(text))
      rendered.set(name, found)
      const contentType = TYPES[path.extname(name)] ?? 'application/octet-stream'
      // A process of another version made the page: then the file may differ from what the address promises.
      const maxAgeSeconds = asked === version ? IMMUTABLE_SECONDS : 60
      return found.then((file) => ({ contentType, rendered: { ...file, maxAgeSeconds } }))
    },
  }
}

const digest = (text: string, encoding: 'base64' | 'base64url') => createHash('sha256').update(text).digest(encoding)

const packageFile = (file: string) => fileURLToPath(new URL(`../../../node_modules/${file}`, import.meta.url))

const withoutSourceMap = (script: string) => script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')

const STRIP = `
const { stripTypeScriptTypes } = require('node:module')
const strip = (file) => stripTypeScriptTypes(require('node:fs').readFileSync(file, 'utf8'))
process.stdout.write(JSON.stringify(process.argv.slice(1).map(strip)))`

/** In a process of its own: Node's compiler would stay in the memory of this one, 13 MB (docs/PERFORMANCE.md). */
function stripTypes(names: string[]): Map<string, string> {
  const paths = names.map((name) => path.join(folder, name))
  const output = execFileSync(process.execPath, ['--no-warnings', '--eval', STRIP, ...paths], { encoding: 'utf8' })
  const scripts = JSON.parse(output) as string[]
  // The types leave white space; whole lines of it, and comments that fill a line, are of no use to a browser.
  const shorten = (script = '') => script.replace(/^\s*(\/\/.*|\/\*\*.*\*\/)?\s*\n/gm, '')
  return new Map(names.map((name, n) => [name, shorten(scripts[n])]))
}

const STATIC_IMPORT = /^(?:import|export)\b[^'"`=(]*\bfrom '([^']+)'/gm

/** The module and, transitively, what it imports. */
function reached(files: ReadonlyMap<string, string>, name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, specifier = ''] of (files.get(name) ?? '').matchAll(STATIC_IMPORT))
    reached(
      files,
      specifier.startsWith('.') ? path.posix.join(path.posix.dirname(name), specifier) : `packages/${specifier}.js`,
      seen,
    )
  return seen
}

async function compress(bytes: Buffer): Promise<Rendered> {
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ])
  return { bytes, etag: strongEtag(bytes), maxAgeSeconds: IMMUTABLE_SECONDS, gzip: gzipped, brotli }
}
