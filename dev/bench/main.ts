// `npm run bench [-- list cold …]`, with the names of `sections`: measures each speed as a ratio to a baseline of the
// same run. `--runs 3` measures each section three times, `--save` puts the results into docs/performance.json (or the
// file given by `--results`), `--render` only writes docs/PERFORMANCE.md.
import fs from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { benchColdQueries } from './cold-queries.ts'
import { benchDatabase } from './database.ts'
import { benchDiscordMessages } from './discord-messages.ts'
import { benchDiscovery } from './discovery.ts'
import { benchHistory } from './history.ts'
import { benchListPage, benchProcesses, benchSite } from './list-page.ts'
import { benchPolling } from './polling.ts'
import { openBench } from './processes.ts'
import { type Finding, medianOfRuns, print } from './report.ts'
import { DOCUMENT, RESULTS_FILE, readResults, renderDocument, saveSection } from './results.ts'
import { benchScale } from './scale.ts'
import { seedDirectory } from './seed.ts'
import { benchVoiding } from './voiding.ts'
import { benchVotes } from './votes.ts'
import { benchWebhooks } from './webhooks.ts'

const SIZE = 100_000
const SIZES = [10_000, 100_000, 500_000, 1_000_000]

const sections = {
  list: async (bench) => {
    await seedDirectory(bench.pool, SIZE)
    return benchListPage(bench)
  },
  site: async (bench) => {
    await seedDirectory(bench.pool, SIZE)
    return benchSite(bench)
  },
  processes: async (bench) => {
    await seedDirectory(bench.pool, 10_000)
    return benchProcesses(bench)
  },
  cold: async (bench) => {
    await seedDirectory(bench.pool, SIZE)
    return benchColdQueries(bench)
  },
  poll: (bench) => benchPolling(bench, SIZE),
  scale: (bench) => benchScale(bench, SIZES),
  discovery: (bench) => benchDiscovery(bench, SIZE),
  silent: (bench) => benchDiscovery(bench, 60_000, 10_000),
  webhooks: benchWebhooks,
  discord: benchDiscordMessages,
  votes: benchVotes,
  voiding: benchVoiding,
  history: benchHistory,
  database: benchDatabase,
} satisfies Record<string, (bench: Awaited<ReturnType<typeof openBench>>) => Promise<Parameters<typeof print>[1]>>

const TITLES: Record<keyof typeof sections, string> = {
  list: 'List page of 20 at 100,000 servers, hot',
  site: 'List page of the site against that of the API at 100,000 servers, hot',
  processes: 'List page of 20 at 10,000 servers by two API processes',
  cold: 'Cold queries at 100,000 servers',
  poll: 'Polling 100,000 servers',
  scale: 'Growth from 10,000 to a million servers',
  discovery: 'First run of a source with 100,000 servers on an empty directory',
  silent: 'First run of a source with 60,000 servers, of which 10,000 answer',
  webhooks: 'Delivering 20,000 webhooks to 500 endpoints',
  discord: 'Keeping 200 status messages on Discord',
  votes: 'Voting',
  voiding: 'Voiding and restoring a million votes',
  history: 'Player history at a poll a minute',
  database: 'What each further process costs the database',
}

const known = Object.keys(sections) as (keyof typeof sections)[]
const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    save: { type: 'boolean' },
    results: { type: 'string', default: RESULTS_FILE },
    render: { type: 'boolean' },
  },
})
const unknown = wanted.filter((name) => !(name in sections))
if (unknown.length) {
  console.error(`bench: unknown section ${unknown.join(', ')}; the sections are ${known.join(', ')}`)
  process.exit(2)
}

const runs = Number(options.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('bench: --runs must be a whole number of at least 1')
  process.exit(2)
}

const machine = `${os.cpus().length} cores, ${os.cpus()[0]?.model.trim()}, Node ${process.version.slice(1)}`
/** The section `history` reads it. */
const sizeSetting = process.env.BENCH_SERVERS ? `BENCH_SERVERS=${process.env.BENCH_SERVERS} ` : ''
const measured = options.render ? [] : known.filter((section) => !wanted.length || wanted.includes(section))
if (measured.length) console.log(`${machine}, ${new Date().toISOString()}`)
for (const name of measured) {
  const findings: Finding[][] = []
  while (findings.length < runs) findings.push(await measure(name))
  const combined = medianOfRuns(findings)
  print(TITLES[name], combined)
  if (options.save)
    saveSection(options.results, name, {
      title: TITLES[name],
      repeat: `${sizeSetting}npm run bench -- ${name}${runs > 1 ? ` --runs ${runs}` : ''}`,
      conditions: `${runs > 1 ? `${runs} runs, medians` : 'one run, medians of its rounds'}, ${machine}`,
      date: new Date().toISOString().slice(0, 10),
      findings: combined,
    })
}
if (options.render || (options.save && options.results === RESULTS_FILE))
  fs.writeFileSync(DOCUMENT, renderDocument(fs.readFileSync(DOCUMENT, 'utf8'), readResults(RESULTS_FILE)))

/** On a fresh server, so that no section or run warms or bloats another's. */
async function measure(name: keyof typeof sections): Promise<Finding[]> {
  const bench = await openBench()
  try {
    return await sections[name](bench)
  } finally {
    await bench.stop()
  }
}
