// Whether players need a password: true, false, or null if the answer does not tell.
import { protocols } from 'gamedig'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { hasPassword, PASSWORDS } from '../../../workers/polling/password.ts'
import { openAsk } from './far-end.ts'
import { inheritedSources, resultWith } from './gamedig-results.ts'
import { minecraftServer } from './minecraft-server.ts'

test('a Source server tells it in each answer', async () => {
  const server = await startSimulatedServer({ address: '127.88.1.1', info: { hasPassword: true } })
  onTestFinished(server.close)
  expect(await openAsk()('ase', server)).toMatchObject({ hasPassword: true })
  server.info.hasPassword = false
  expect(await openAsk()('ase', server)).toMatchObject({ hasPassword: false })
})

test('a Minecraft server never tells it', async () => {
  const place = await minecraftServer('127.88.1.2', { description: 'A server' })
  expect(await openAsk({ tries: [400] })('minecraft', place)).toMatchObject({ answered: true, hasPassword: null })
})

test.each<[string, object, unknown, boolean | null]>([
  ['quake3', { g_needpass: '0' }, '0', false],
  ['quake3', { g_needpass: '1' }, '1', true],
  ['quake3', { pswrd: '1' }, false, true],
  ['quake3', {}, false, null],
  ['quake2', { needpass: '2' }, false, false],
  ['quake2', { needpass: '3' }, false, true],
  ['fivem', { clients: '3' }, false, null],
  ['doom3', { si_usepass: '0' }, false, false],
  ['doom3', { si_needPass: '1' }, true, true],
  ['doom3', {}, false, null],
  ['gamespy1', { password: false }, false, false],
  ['gamespy1', { password: true }, true, true],
  ['gamespy1', {}, false, null],
  ['gamespy2', { password: '1' }, true, true],
  ['gamespy3', { password: '0' }, false, false],
  ['ut3', { password: '1' }, false, true],
  ['unreal2', { rules: { AdminName: 'a' } }, false, false],
  // What UT2004 sends with a password; gamedig takes it for none.
  ['unreal2', { rules: { GamePassword: 'True' } }, false, true],
  ['unreal2', { rules: {} }, false, null],
  ['battlefield', { uptime: 5 }, true, true],
  ['battlefield', { punkbuster: true }, false, null],
  ['renegadex', { Variables: { bPassworded: true } }, true, true],
  ['renegadex', { Variables: {} }, false, null],
  ['ventrilo', { AUTH: '0' }, false, false],
  ['teamspeak3', { virtualserver_flag_password: '1' }, false, true],
  ['terraria', { serverpassword: false }, false, false],
  ['eldewrito', { passworded: true }, false, true],
  ['asa', {}, undefined, null],
  ['minetest', {}, undefined, null],
  ['vintagestory', {}, 'true', true],
  ['brokeprotocol', {}, false, null],
  ['mumble', {}, false, null],
  ['discord', {}, false, null],
])('%s with %j, where gamedig says %j', (protocol, raw, password, expected) => {
  expect(hasPassword(protocol, resultWith({ raw, password }))).toBe(expected)
})

test('values of any type are an answer or none', () => {
  for (const protocol of Object.keys(PASSWORDS))
    for (const value of [{}, [], [1], 'maybe', '', 7, Number.NaN, null, undefined, 'x'.repeat(100_000)]) {
      const raw = { password: value, g_needpass: value, rules: value, Variables: value, AUTH: value, uptime: value }
      expect([true, false, null]).toContain(hasPassword(protocol, resultWith({ raw, password: value })))
    }
})

test('gamedig sets it for these protocols; an update that changes this needs a decision', () => {
  const set = Object.keys(protocols).filter((id) => /\bstate\.password = /.test(inheritedSources(id)))
  // Lists of servers; always false; never answering.
  const NOT_READ = ['brokeprotocol', 'brokeprotocolmaster', 'hawakeningmaster', 'nadeo', 'renegadexmaster']
  // gamedig leaves their fields as they are.
  const UNSET = ['eldewrito', 'teamspeak3', 'terraria']
  expect(set.filter((id) => !NOT_READ.includes(id)).sort()).toEqual(
    Object.keys(PASSWORDS)
      .filter((id) => !UNSET.includes(id))
      .sort(),
  )
})
