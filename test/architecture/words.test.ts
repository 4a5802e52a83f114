// The glossary and the retired words of docs/ARCHITECTURE.md, compared with the tree.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, it } from 'vitest'

const architecture = fs.readFileSync('docs/ARCHITECTURE.md', 'utf8')

/** The first cells of a section's table, split at commas. */
function wordsOf(title: string): string[] {
  const [, section = ''] = architecture.split(`\n## ${title}\n`)
  const [table = ''] = section.split('\n## ')
  const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.slice(1).flatMap((cell) => cell.split(', ')) // the first row is the heading
}

/**
 * The list itself, past releases, names of games and packages, common passwords, and a key's derivation,
 * which must not change.
 */
const EXEMPT = new Set([
  'docs/ARCHITECTURE.md',
  'docs/LICENCES.md',
  'CHANGELOG.md',
  'src/features/games/games.ts',
  'src/features/accounts/login/common-words.ts',
  'src/platform/config/secret-cipher.ts',
  'examples/client/api.d.ts',
  'src/features/site/api.d.ts',
])

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter(
    (file) => /\.(ts|mjs|md|yml|prisma|html|js|css|sh|cfg)$/.test(file) && !EXEMPT.has(file) && fs.existsSync(file),
  )

it('uses each word of the glossary in the code', () => {
  const words = wordsOf('Glossary')
  const code = files
    .filter((file) => /^(src|workers)\/.*\.ts$/.test(file))
    .map((file) => fs.readFileSync(file, 'utf8').toLowerCase())
    .join('\n')
  expect(words.length).toBeGreaterThan(12)
  expect(words.filter((word) => !code.includes(word) && !code.includes(word.replace(' ', '')))).toEqual([])
})

it('uses no retired word', () => {
  const words = wordsOf('Retired words')
  expect(words.length).toBeGreaterThan(12)
  const retired = new RegExp(`\\b(${words.join('|')})(s|ed|ing)?\\b`, 'i')
  const isUse = (line: string) => retired.test(line) || retired.test(line.replace(/([a-z])([A-Z])/g, '$1 $2')) // also in `camelCase`
  const uses = files.flatMap((file) =>
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isUse(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 120)}`] : [])),
  )
  expect(uses).toEqual([])
})

it('wraps comments at 120 columns, like the code', () => {
  const wide = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (/^\s*(\/\/|\/?\*)/.test(line) && line.length > 120 ? [`${file}:${index + 1}`] : [])),
    )
  expect(wide).toEqual([])
})

/** Metaphors, and words that had a second meaning. `Deps['settings']` has a name of its own: `ProcessSettings`. */
const RETIRED_NAMES = [
  ...[
    'UNHURRIED',
    'PATIENCE',
    'AWAITED',
    'TICK',
    'tellInStep',
    'leadOn',
    'orIf',
    'askedBefore',
    'wasAsked',
    'recallKey',
  ],
  ...['onHungry', 'takeLimit', 'takeNotice', 'takeDue', 'takeRecent', 'takeUnreported', 'takeCompleted', 'dropAccess'],
  ...['turnPlacements', 'settleReward', 'settleOverdue', 'claimFolder', 'foldRecent', 'orderDigests', 'noteSighting'],
  ...['noteTakeover', 'noteFingerprints', 'forgetFingerprint', 'requireLivingSession', 'mayBeAsked', 'causeNow'],
]

it('uses no retired name', () => {
  const retired = new RegExp(
    String.raw`\b(MOST|LONGEST|LARGEST|FEWEST|SHORTEST|SMALLEST|OLDEST|NEWEST)_[A-Z]|\b(${RETIRED_NAMES.join('|')})\b|\bDeps\['`,
  )
  const uses = files
    .filter((file) => file.endsWith('.ts') && file !== 'test/architecture/words.test.ts')
    .filter((file) => retired.test(fs.readFileSync(file, 'utf8')))
  expect(uses).toEqual([])
})
