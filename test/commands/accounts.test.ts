// Runs `npm run accounts` and checks what it leaves.
import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  actionsAudited,
  addOwner,
  enterPassword,
  eventsMailed,
  SECOND_FACTOR_SETTINGS,
  setUpCodes,
} from '../features/accounts/second-factor-support.ts'
import { createVisitor } from '../features/accounts/support.ts'
import { startTestApi } from '../support/api.ts'
import { NODE_ARGS } from '../support/node.ts'

const api = await startTestApi({ settings: SECOND_FACTOR_SETTINGS })

function accounts(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...NODE_ARGS, 'commands/accounts/main.ts', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: api.database.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const seen = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    seen.err += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...seen })))
}

describe('npm run accounts -- remove-second-factor', () => {
  test('lets an account in by its password again, ends its sessions and logins, and says so to its owner', async () => {
    const owner = await setUpCodes(await addOwner(api), Date.now())
    const half = await enterPassword(api, owner)
    const { code, out } = await accounts('remove-second-factor', owner.email.toUpperCase())
    expect([code, out]).toEqual([0, expect.stringContaining('was removed')])
    expect((await owner.visitor.get('/auth/session')).status).toBe(401)
    expect((await half.get('/auth/second-step')).status).toBe(401)
    const [recoveryCode] = owner.recoveryCodes
    expect((await half.post('/auth/second-step', { recoveryCode })).status).toBe(401)
    expect((await createVisitor(api).login(owner.email)).status).toBe(200)
    expect((await eventsMailed(api, owner)).at(-1)).toBe('reset')
    expect((await actionsAudited(api, owner)).at(-1)).toBe('user.second-factor.remove')
  })

  test('changes nothing of an account without one, and of an unknown one', async () => {
    const owner = await addOwner(api)
    expect(await accounts('remove-second-factor', owner.email)).toMatchObject({
      code: 1,
      err: expect.stringContaining('and a second factor'),
    })
    expect((await owner.visitor.get('/auth/session')).status).toBe(200)
    expect(await accounts('remove-second-factor', 'unknown@example.com')).toMatchObject({ code: 1 })
  })

  test('explains itself', async () => {
    expect(await accounts('--help')).toMatchObject({ code: 0, out: expect.stringContaining('remove-second-factor') })
    expect(await accounts('remove-second-factor')).toMatchObject({ code: 2 })
    expect(await accounts('remove')).toMatchObject({ code: 2 })
  })
})

describe('npm run accounts -- setup-code', () => {
  test('prints a code of the account, which is in the audit log without the code', async () => {
    const owner = await addOwner(api)
    await api.database.pool.query(`update users set email = 'chef@xn--mller-kva.de' where id = $1`, [owner.id])
    const { code, out } = await accounts('setup-code', ' Chef@Müller.de')
    expect([code, out]).toEqual([0, expect.stringMatching(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}\n/)])
    const { rows } = await api.database.pool.query('select action, details from audit_log where target_id = $1', [
      owner.id,
    ])
    expect(rows).toEqual([{ action: 'user.setup-code.create', details: { by: 'command' } }])
    expect(await accounts('setup-code', 'unknown@example.com')).toMatchObject({ code: 1, out: '' })
  })
})
