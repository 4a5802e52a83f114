// The log keeps what is needed to find an error, and no data that the error carries.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { logStyleOf } from '../../src/platform/observability/log.ts'

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

it('a terminal gets what needs attention in words, and everything else JSON, unless the settings say otherwise', () => {
  expect(logStyleOf({}, true)).toEqual({ format: 'pretty', level: 'warn' })
  expect(logStyleOf({}, false)).toEqual({ format: 'json', level: 'info' })
  expect(logStyleOf({ LOG_FORMAT: 'json' }, true)).toEqual({ format: 'json', level: 'info' })
  expect(logStyleOf({ LOG_FORMAT: 'pretty', LOG_LEVEL: 'debug' }, false)).toEqual({ format: 'pretty', level: 'debug' })
})

it('a process writes words by itself, with the stack of an error', async () => {
  const script = `
    import { createLog } from './src/platform/observability/log.ts'
    const log = createLog('test', { format: 'pretty', level: 'warn' })
    log.info('not written')
    log.warn({ serverId: 's1' }, 'slow')
    log.error({ err: new Error('refused') }, 'failed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: slow \{"serverId":"s1"\}\n\[.*\] ERROR: failed/)
  expect(stdout).toContain('Error: refused\n')
})
