// Schemathesis makes requests of the OpenAPI document, as a stranger to the project, and judges the replies by it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../commands/support/start-launcher.ts'
import { startProvider } from '../features/billing/support.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isMissing } from '../support/installed.ts'
import { addPerson } from '../support/people.ts'

const { FUZZ_SEED = '1', SCHEMATHESIS_EXAMPLES = '3' } = process.env
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
const run = promisify(execFile)

describe.skipIf(isMissing('schemathesis'))('schemathesis finds no reply that the document does not describe', () => {
  let api: TestApi
  beforeAll(async () => {
    // Without a payment provider, operations of payments answer 503.
    api = await startTestApi({ settings: (await startProvider()).settings })
  })

  async function attack(...headers: string[]): Promise<string> {
    const { stdout } = await run(
      'schemathesis',
      [
        ...['run', `${api.url}/api/openapi.json`, '--url', `${api.url}/api`],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', SCHEMATHESIS_EXAMPLES, '--seed', FUZZ_SEED],
        ...[
          '--checks',
          CHECKS.join(','),
          '--no-color',
          '--warnings',
          'off',
          '--suppress-health-check',
          'all',
          '--no-shrink',
        ],
        // A stream does not end, and the operators' paths are not below /api.
        ...['--exclude-operation-id', 'streamServers', '--exclude-path-regex', '^/(healthz|readyz|metrics)$'],
        ...headers.flatMap((header) => ['--header', header]),
      ],
      { maxBuffer: 64 << 20, cwd: temporaryFolder() }, // it keeps its findings in the current folder
    ).catch((error: { stdout: string }) => ({ stdout: error.stdout }))
    return stdout
  }

  it.for(['a stranger', 'an administrator'])('as %s', { timeout: 600_000 }, async (who) => {
    const headers =
      who === 'a stranger' ? [] : [`Cookie: ${(await addPerson(api.database.pool, { isAdmin: true })).cookie}`]
    expect(await attack(...headers)).toContain('No issues found')
  })
})
