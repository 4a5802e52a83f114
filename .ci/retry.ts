// Runs the acceptance test files that failed once more, each alone, and reports those that pass then as flaky.
// `node .ci/retry.ts <report> <log>`: the report is that of Vitest's JSON reporter, the log that of its
// default one. Exits with 1 if a file fails again, or if the run failed for a reason that belongs to no file,
// such as an unhandled error.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

interface FileResult {
  name: string
  status: 'passed' | 'failed'
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

function readFailedFiles(report: string): FileResult[] {
  // Without a report the run ended before its end.
  if (!fs.existsSync(report)) return []
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8')) as { testResults: FileResult[] }
  return testResults.filter(({ status }) => status === 'failed')
}

function firstErrorOf({ message, assertionResults }: FileResult): string {
  const test = assertionResults.find(({ status }) => status === 'failed')
  const error = test ? `${test.fullName}: ${test.failureMessages[0] ?? ''}` : message
  return error.split('\n').slice(0, 3).join(' ').slice(0, 500)
}

function passesAlone(file: string): boolean {
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'acceptance', file], { stdio: 'inherit' })
  return status === 0
}

const [report = '', log = ''] = process.argv.slice(2)
const hasUnhandledErrors = fs.readFileSync(log, 'utf8').includes('Unhandled Errors') // the report has none
const failedFiles = hasUnhandledErrors ? [] : readFailedFiles(report)
const results = failedFiles.map((result) => ({
  file: path.relative(process.cwd(), result.name),
  error: firstErrorOf(result),
  passed: passesAlone(result.name),
}))

for (const { file, error, passed } of results) console.log(`${passed ? 'flaky' : 'failed twice'}: ${file}\n  ${error}`)
if (hasUnhandledErrors) console.log('the acceptance tests had unhandled errors')
else if (!results.length) console.log('the acceptance tests failed, and no test file did')
process.exitCode = results.length > 0 && results.every(({ passed }) => passed) ? 0 : 1
