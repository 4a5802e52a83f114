// The log keeps what is needed to find an error, and no data that the error carries.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = `
import { createLog } from './src/platform/observability/log.ts'
const log = createLog('test', 'info')
const refused = Object.assign(new Error('a row was refused'), {
  code: '23514', table: 'users', detail: 'Failing row contains (s3cret).', client: { password: 's3cret' },
})
log.error({ err: refused }, 'one')
const login = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['s3cret'] } })
log.error({ err: new Error('not counted', { cause: login }) }, 'two')
log.error({ err: new AggregateError([refused], 'no address answers') }, 'three')
log.error({ err: 'a text' }, 'four')
`

it('an error is logged as its message, stack, code and causes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT])
  const [one, two, three, four] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).err)
  expect(stdout).not.toContain('s3cret')
  const refused = { type: 'Error', message: 'a row was refused', code: '23514', table: 'users' }
  expect(one).toEqual({ ...refused, stack: expect.stringContaining('Error: a row was refused\n    at ') })
  expect(two).toMatchObject({ message: 'not counted: WRONGPASS' })
  expect(two.stack).toContain('caused by: Error: WRONGPASS')
  expect(three).toMatchObject({ type: 'AggregateError', message: 'no address answers', errors: [refused] })
  expect(four).toBe('a text')
})
