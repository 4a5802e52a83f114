// docs/performance.json has the benchmarks' results; the documents agree with it.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { atLeast, figure, medianOfRuns } from '../../dev/bench/report.ts'
import {
  DOCUMENT,
  findWrongQuotes,
  RESULTS_FILE,
  readResults,
  renderDocument,
  saveSection,
} from '../../dev/bench/results.ts'

const results = readResults(RESULTS_FILE)
const documents = execFileSync('git', ['ls-files', '-z', '*.md'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file && fs.existsSync(file))

it('docs/PERFORMANCE.md shows the results, as `npm run bench -- --render` writes them', () => {
  const document = fs.readFileSync(DOCUMENT, 'utf8')
  expect(document).toBe(renderDocument(document, results))
})

it.each(documents)('%s quotes results as they are', (file) => {
  expect(findWrongQuotes(fs.readFileSync(file, 'utf8'), results)).toEqual([])
})

it('docs/SCALING.md marks what it quotes', () => {
  expect(fs.readFileSync('docs/SCALING.md', 'utf8').match(/<!-- [\w-]+\.[\w-]+ -->/g)?.length).toBeGreaterThan(5)
})

describe('a quote', () => {
  const rows = [{ id: 'votes.ratio', what: 'ratio', value: '3.6' }]
  const known = { votes: { title: 'Voting', repeat: 'npm run bench', conditions: 'one run', date: '2026-01-01', rows } }
  const wrong = (text: string) => findWrongQuotes(text, known)

  it('must follow the value of its row, and name a row that exists', () => {
    expect(wrong('Votes reach 3.6 <!-- votes.ratio --> times the loop.')).toEqual([])
    expect(wrong('Votes reach 3.5 <!-- votes.ratio --> times the loop.')).toHaveLength(1)
    expect(wrong('Votes reach 3.5 <!--\n  votes.ratio -->, over two lines.')).toHaveLength(1)
    expect(wrong('Votes reach 13.6 <!-- votes.ratio --> times the loop.')).toHaveLength(1)
    expect(wrong('Votes reach 3.6 <!-- votes.ratios --> times the loop.')).toHaveLength(1)
  })
})

describe('npm run bench -- --save', () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'results-')), 'performance.json')
  const about = { title: 'Voting', repeat: 'npm run bench -- votes', conditions: 'one run', date: '2026-01-01' }

  it('replaces the section that was measured and keeps the others', () => {
    saveSection(file, 'votes', { ...about, findings: [figure('votes', 1), figure('rejected votes', 2)] })
    saveSection(file, 'polls', { ...about, findings: [figure('polls', 3)] })
    saveSection(file, 'votes', { ...about, findings: [atLeast('ratio of votes/s', 0.5, 0.6)] })
    expect(readResults(file)).toEqual({
      votes: {
        ...about,
        rows: [{ id: 'votes.ratio-of-votes-s', what: 'ratio of votes/s', value: '0.5', target: '≥ 0.6', met: false }],
      },
      polls: { ...about, rows: [{ id: 'polls.polls', what: 'polls', value: '3' }] },
    })
  })

  it('refuses two results of one name, which no document could tell apart', () => {
    const findings = [figure('CPU time', 1), figure('CPU time', 2)]
    expect(() => saveSection(file, 'votes', { ...about, findings })).toThrow('votes.cpu-time')
  })
})

describe('npm run bench -- --runs', () => {
  const run = (ratio: number, each: string) => [
    atLeast('ratio', ratio, 0.6),
    figure('CPU time', each),
    figure('files', 3),
  ]

  it('has the median of each number, the lowest and the highest', () => {
    expect(medianOfRuns([run(0.7, '9.5 µs, 20 ms'), run(0.65, '1,000 µs, 20 ms'), run(0.8, '10 µs, 20 ms')])).toEqual([
      { what: 'ratio', value: '0.7', spread: '0.65–0.8', target: '≥ 0.6', met: true },
      { what: 'CPU time', value: '10 µs, 20 ms', spread: '9.5–1,000, 20' },
      { what: 'files', value: '3' },
    ])
  })

  it('misses a target that one of the runs missed', () => {
    expect(medianOfRuns([run(0.7, '1'), run(0.59, '1'), run(0.8, '1')])[0]).toMatchObject({ value: '0.7', met: false })
  })

  it('refuses runs that have other results', () => {
    expect(() => medianOfRuns([[figure('polls', 1)], [figure('votes', 1)]])).toThrow('polls')
    expect(() => medianOfRuns([[figure('polls', '1, 2')], [figure('polls', '1')]])).toThrow('polls')
  })
})
