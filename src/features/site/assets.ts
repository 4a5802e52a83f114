// The files that browsers load, all from memory: the site's modules with their types stripped, the packages they
// import, and the style sheets.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { strongEtag } from '../../platform/http/etag.ts'
import { IMMUTABLE_SECONDS, type Rendered } from '../../platform/http/rendered-reply.ts'

/** Only files of these folders reach a browser. */
const FOLDERS = ['browser', 'components'] as const
/** Modules outside these folders that a browser may load too. */
const SHARED = ['platform/fold-text.ts', 'platform/mark.ts', 'platform/slug.ts']
/** Parts of the style sheet, in their order. */
const STYLES = ['base', 'forms', 'servers', 'server', 'account', 'figures']

/** Style sheets of a few pages. */
const OWN_STYLES = ['reference', 'admin', 'offers']

/**
 * Packages that browser modules may import, by name: the file, and the code that turns a plain script into a module.
 */
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

export type Assets = ReturnType<typeof createAssets>

const folder = import.meta.dirname

let assets: Assets | undefined

/** @returns the same assets for every app of the process */
export function loadAssets(): Assets {
  assets ??= createAssets()
  return assets
}

/** Joins style sheets, and drops their comments and indentation: a tenth of what a first visit downloads. */
const readStyles = (files: readonly string[]): string =>
  files
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '\n')

/** Reads all files at once. Stripping types and compressing take long, so both wait until a file is first requested. */
export function createAssets() {
  const modules = new Map(
    FOLDERS.flatMap((part) =>
      fs
        .readdirSync(path.join(folder, part), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => [`${part}/${file}`, fs.readFileSync(path.join(folder, part, file), 'utf8')]),
    ),
  )
  for (const file of SHARED) modules.set(file, fs.readFileSync(path.join(folder, '../..', file), 'utf8'))
  const files = new Map(modules)
  const styles = [
    ...STYLES.map((name) => path.join(folder, `css/${name}.css`)),
    packageFile('uplot/dist/uPlot.min.css'),
  ]
  for (const name of OWN_STYLES) files.set(`${name}.css`, readStyles([path.join(folder, `css/${name}.css`)]))
  files.set('site.css', readStyles(styles))
  for (const [name, { file, exports = '' }] of Object.entries(PACKAGES))
    files.set(`packages/${name}.js`, withoutSourceMap(fs.readFileSync(packageFile(file), 'utf8')) + exports)

  const version = digest([...files].flat().join('\0'), 'base64url').slice(0, 12)
  /** The address of a file such as `browser/directory.ts`. It changes when the content of any file changes. */
  const href = (name: string) => `/assets/${version}/${name}`
  const packages = Object.keys(PACKAGES).map((name) => [name, href(`packages/${name}.js`)])
  // Their paths from `src/features/site` lead out of the folder of assets.
  const shared = SHARED.map((file) => [`/${file}`, href(file)])
  const importMap = JSON.stringify({ imports: Object.fromEntries([...packages, ...shared]) })
  const rendered = new Map<string, Promise<Rendered>>()
  let stripped: Promise<Map<string, string>> | undefined
  async function render(name: string, text: string): Promise<Rendered> {
    if (!modules.has(name)) return compress(Buffer.from(text))
    try {
      stripped ??= stripTypes(modules)
      return await compress(Buffer.from((await stripped).get(name) ?? text))
    } catch (error) {
      stripped = undefined
      rendered.delete(name)
      throw error
    }
  }

  return {
    href,
    importMap,
    /** The hash of the import map, for the Content-Security-Policy. */
    importMapHash: digest(importMap, 'base64'),
    /** The addresses of a module and of all modules that it imports statically. */
    modulesOf: (name: string) => [...reached(files, name, new Set())].map(href),
    /** @param asked version of the requested address @returns undefined if there is no such file */
    read(asked: string, name: string): Promise<{ contentType: string; rendered: Rendered }> | undefined {
      const text = files.get(name)
      if (text === undefined) return undefined
      const found = rendered.get(name) ?? render(name, text)
      rendered.set(name, found)
      const contentType = TYPES[path.extname(name)] ?? 'application/octet-stream'
      // If a process of another version rendered the page, this file may differ from the one that the address names.
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
const sources = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(sources.map((source) => stripTypeScriptTypes(source))))`

/** Runs in a separate process: Node's compiler would keep 13 MB of this process's memory (docs/decisions/0048). */
async function stripTypes(sources: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const stripping = promisify(execFile)(process.execPath, ['--no-warnings', '--eval', STRIP], {
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  stripping.child.stdin?.on('error', () => undefined) // if the process ends early, its exit code and stderr say why
  stripping.child.stdin?.end(JSON.stringify([...sources.values()]))
  const scripts = JSON.parse((await stripping).stdout) as string[]
  // Removes what a browser does not need: white space left by types, whole-line comments, and
  // indentation, also of markup.
  const shorten = (script = '') =>
    script.replace(/^\s*(\/\/.*|\/\*\*(?:(?!\*\/)[\s\S])*\*\/)?\s*\n/gm, '').replace(/^ +/gm, '')
  return new Map([...sources.keys()].map((name, n) => [name, shorten(scripts[n])]))
}

/** Matches static imports and exports, except those of types only, which are stripped. */
const STATIC_IMPORT = /^(?:import|export)(?! type\b)\b[^'"`=(]*\bfrom '([^']+)'/gm

/** Adds a module, and transitively all that it imports statically, to `seen`. */
function reached(files: ReadonlyMap<string, string>, name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, specifier = ''] of (files.get(name) ?? '').matchAll(STATIC_IMPORT))
    reached(
      files,
      specifier.startsWith('.')
        ? path.posix.join(path.posix.dirname(name), specifier).replace(/^(\.\.\/)+/, '')
        : `packages/${specifier}.js`,
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
