// What servers say about themselves, by game.
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createIcons } from '../../../workers/polling/icon.ts'
import type { QueryTarget } from '../../../workers/polling/outcome.ts'
import { type Profile, profileOf } from '../../../workers/polling/profile.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { httpServer, openAsk } from './far-end.ts'
import { resultWith } from './gamedig-results.ts'
import { minecraftServer } from './minecraft-server.ts'
import { png, sizeOf } from './png.ts'

const ICON = `data:image/png;base64,${png().toString('base64')}`

const icons = createIcons()
let servers = 0

function profileIn(game: string, protocol: string, raw: unknown, name: unknown = 'A server'): Profile {
  return profileOf({ game, protocol, server: String(servers++) }, resultWith({ name, raw }), icons)
}

async function ask(target: Omit<QueryTarget, 'isOnline'>) {
  const pool = createQueryPool({ concurrency: 1 })
  onTestFinished(() => pool.close())
  const resolve = createTargetResolver({ allowPrivate: true })
  const outcome = await createAskServer({ pool, resolve, tries: { online: [1_000], offline: [] } })({
    ...target,
    isOnline: true,
  })
  return outcome.answered ? outcome.profile : undefined
}

describe('over the network', () => {
  it('a Source server without rules says its name only', async () => {
    const server = await startSimulatedServer({ address: '127.88.2.1', info: { name: ' \u202eMy server ' } })
    onTestFinished(server.close)
    expect(await ask({ game: 'rust', ipAddress: server.address, queryPort: server.port })).toEqual({
      name: 'My server',
    })
  })

  it('Rust’s rules say mode, description, site and image, at the polls that read them', async () => {
    const server = await startSimulatedServer({
      address: '127.88.2.2',
      info: {
        name: 'Rusty',
        keywords: 'born1700000000,mp100',
        rules: {
          description_01: 'Second part.\\nNew line',
          description_00: 'First part, ',
          description_02: ' ',
          url: 'https://example.org/rust',
          headerimage: 'javascript:alert(1)',
          pve: 'True',
        },
      },
    })
    onTestFinished(server.close)
    const target = { game: 'rust', ipAddress: server.address, queryPort: server.port }
    expect(await ask(target)).toEqual({ name: 'Rusty' })
    expect(await ask({ ...target, readsRules: true })).toEqual({
      name: 'Rusty',
      gameMode: 'PvE',
      description: 'First part, Second part.\nNew line',
      website: 'https://example.org/rust',
      bannerUrl: '',
    })
    server.info.rules = {}
    expect(await ask({ ...target, readsRules: true })).toEqual({ name: 'Rusty' })
  })

  it('a Minecraft server says its message with formatting, and shows its icon', async () => {
    const status = { description: { text: 'A ', extra: [{ text: 'server', color: 'gold' }] }, favicon: ICON }
    const place = await minecraftServer('127.88.2.3', status)
    for (const game of ['minecraft', 'protocol-minecraftvanilla']) {
      const outcome = await openAsk({ tries: [400] })(game, place)
      const { icon, ...said } = outcome.answered ? outcome.profile : { icon: null }
      expect(said).toEqual({ name: 'A server', motd: 'A §6server', mods: '' })
      expect(icon && sizeOf(icon)).toEqual({ width: 64, height: 64 })
    }
  })

  it('a Minecraft server whose icon is a bomb of 30,000 × 30,000 pixels has none', async () => {
    const favicon = `data:image/png;base64,${png({ width: 30_000, height: 30_000, pixels: Buffer.alloc(100) }).toString('base64')}`
    const place = await minecraftServer('127.88.2.4', { description: 'A server', favicon })
    expect(await openAsk({ tries: [400] })('protocol-minecraftvanilla', place)).toMatchObject({
      answered: true,
      profile: { motd: 'A server', icon: null },
    })
  })

  it('a TShock server says whether it needs a password', async () => {
    const place = await httpServer('127.88.2.5', (_request, response) =>
      response.end(JSON.stringify({ status: '200', name: 'T', players: [], serverpassword: true })),
    )
    expect(await openAsk()('terrariatshock', place)).toMatchObject({ answered: true, hasPassword: true })
  })
})

test.each<[string, string, unknown, Partial<Profile>]>([
  [
    'ase',
    'valve',
    { rules: { SESSIONISPVE_i: '1', MOD10_s: '30:CC', MOD2_s: '20:BB', MOD0_s: '10:AA', ModId_l: '0' } },
    { gameMode: 'PvE', mods: '10,20,30' },
  ],
  ['ase', 'valve', { rules: { SESSIONISPVE_i: '0' } }, { gameMode: 'PvP', mods: '' }],
  ['ase', 'valve', { rules: {} }, {}],
  ['ase', 'valve', {}, {}],
  // Another protocol that is called as the game.
  ['mtasa', 'ase', { rules: { SESSIONISPVE_i: '1' } }, {}],
  [
    'asa',
    'asa',
    { attributes: { SESSIONISPVE_l: 1, ENABLEDMODS_s: '929420,930494' } },
    { gameMode: 'PvE', mods: '929420,930494' },
  ],
  [
    'rust',
    'valve',
    { tags: ['mp10', 'pve'], rules: { pve: 'False' } },
    { gameMode: 'PvE', description: '', website: '', bannerUrl: '' },
  ],
  ['rust', 'valve', { rules: { pve: 'False' } }, { gameMode: 'PvP', description: '', website: '', bannerUrl: '' }],
  [
    'projectzomboid',
    'valve',
    { rules: { pvp: '1', mods: 'Hydrocraft;Brita', description: 'Stay alive' } },
    { gameMode: 'PvP', mods: 'Hydrocraft,Brita', description: 'Stay alive' },
  ],
  [
    'sdtd',
    'sdtd',
    { rules: { PlayerKillingMode: '0', ServerDescription: 'Seven', ServerWebsiteURL: 'https://example.org' } },
    { gameMode: 'PvE', description: 'Seven', website: 'https://example.org' },
  ],
  [
    'dayz',
    'dayz',
    { rules: { a: 'b' }, dayzMods: [{ workshopId: 1, title: 'CF' }, { title: 'VPP' }] },
    { mods: 'CF,VPP' },
  ],
  [
    'minecraft',
    'minecraft',
    { vanilla: { raw: { motd: 'Hi', modinfo: { modList: [{ modid: 'minecraft' }, { modid: 'jei' }] } } } },
    { motd: 'Hi', icon: null, mods: 'jei' },
  ],
  [
    'minecraft',
    'minecraft',
    { vanilla: { raw: { motd: 'Hi', forgeData: { mods: [{ modId: 'forge' }, { modId: 'create' }] } } } },
    { motd: 'Hi', icon: null, mods: 'create' },
  ],
  [
    'minecraft',
    'minecraft',
    { vanilla: { raw: { motd: '', forgeData: { d: 'x', mods: [] } } } },
    { motd: '', icon: null },
  ],
  ['mbe', 'minecraft', { bedrock: { name: '§aBedrock' } }, { motd: '§aBedrock' }],
  [
    'minetest',
    'minetest',
    { description: 'Cubes', url: 'https://example.org', mods: ['default', 'bones'], pvp: false },
    { description: 'Cubes', website: 'https://example.org', mods: 'default,bones', gameMode: 'PvE' },
  ],
  [
    'beammp',
    'beammp',
    { sdesc: '^1Red^r cars', modlist: ';/track.zip;/car.zip;' },
    { description: 'Red cars', mods: 'track,car' },
  ],
  [
    'vintagestory',
    'vintagestory',
    { gameDescription: 'Old <b>times</b>', mods: [{ id: 'game' }, { id: 'carryon' }] },
    { description: 'Old times', mods: 'carryon' },
  ],
  ['gtasam', 'samp', { rules: { weburl: 'www.sa-mp.com' } }, { website: '' }],
  ['gtasam', 'samp', { rules: { weburl: 'www.example.org' } }, { website: 'http://www.example.org' }],
  [
    'teamspeak3',
    'teamspeak3',
    {
      virtualserver_welcomemessage: 'Hello [b]you[/b]\\nBye',
      virtualserver_hostbanner_url: 'https://example.org',
      virtualserver_hostbanner_gfx_url: '',
    },
    { motd: 'Hello you\nBye', website: 'https://example.org', bannerUrl: '' },
  ],
  [
    'armagetronadvanced',
    'armagetron',
    { options: 'Fast', uri: 'https://example.org' },
    { description: 'Fast', website: 'https://example.org' },
  ],
  ['quake', 'quake1', { motd: 'not read' }, {}],
])('%s by %s with %j', (game, protocol, raw, said) => {
  expect(profileIn(game, protocol, raw)).toEqual({ name: 'A server', ...said })
})

test('FiveM says its icon, resources, description and banner, without colour codes', () => {
  const info = {
    icon: png({ width: 96, height: 96 }).toString('base64'),
    resources: ['hardcap', 'esx'],
    vars: { sv_projectDesc: '^1Roleplay^7 in town', banner_detail: 'https://example.org/banner.png' },
  }
  const { icon, ...said } = profileIn('gta5f', 'fivem', { info }, '^2Town')
  expect(icon && sizeOf(icon)).toEqual({ width: 64, height: 64 })
  expect(said).toEqual({
    name: 'Town',
    mods: 'hardcap,esx',
    description: 'Roleplay in town',
    bannerUrl: 'https://example.org/banner.png',
  })
})

const GAMES: [string, string][] = [
  ['ase', 'valve'],
  ['rust', 'valve'],
  ['sdtd', 'sdtd'],
  ['dayz', 'dayz'],
  ['projectzomboid', 'valve'],
  ...[
    'altvmp',
    'armagetron',
    'asa',
    'beammp',
    'brokeprotocol',
    'eco',
    'factorio',
    'fivem',
    'minecraft',
    'minecraftbedrock',
    'minecraftvanilla',
    'minetest',
    'rfactor',
    'samp',
    'starmade',
    'teamspeak3',
    'tribes1',
    'vintagestory',
  ].map((protocol): [string, string] => [`protocol-${protocol}`, protocol]),
]

test.each(GAMES)(
  'values of any type from %s by %s make no profile beyond its bounds',
  (game, protocol) => {
    const values: unknown[] = [
      undefined,
      null,
      7,
      true,
      '',
      'x'.repeat(300_000),
      '<'.repeat(100_000),
      '['.repeat(100_000),
      '^'.repeat(100_000),
      '§a'.repeat(100_000),
      ';'.repeat(100_000),
      [],
      {},
      [null, 7, { id: {}, name: [], modId: 'x'.repeat(1_000) }],
      Array.from({ length: 50_000 }, (_, n) => ({ id: `i${n}`, name: `n${n}`, modId: `m${n}`, title: `t${n}` })),
      Array.from({ length: 50_000 }, (_, n) => `name ${n}`),
    ]
    const anyKey = (value: unknown) => new Proxy({}, { get: () => value, has: () => true })
    for (const value of values) {
      const leaf = anyKey(value)
      const rules = Object.assign(Object.create(null), {
        SESSIONISPVE_i: value,
        MOD0_s: value,
        description_0: value,
        url: value,
      })
      const raws = [
        value,
        leaf,
        anyKey(leaf),
        anyKey(anyKey(leaf)),
        { rules: leaf },
        { rules, tags: value },
        { rules: { a: 1 }, dayzMods: value },
      ]
      for (const raw of raws) {
        const { icon, ...profile } = profileIn(game, protocol, raw, value)
        expect(icon ?? null).toBeNull()
        expect(Object.values(profile).every((text) => typeof text === 'string')).toBe(true)
        expect(profile.name.length).toBeLessThanOrEqual(200)
        expect(profile.motd?.length ?? 0).toBeLessThanOrEqual(1_800)
        expect(profile.mods?.length ?? 0).toBeLessThanOrEqual(2_000)
        expect(profile.description?.length ?? 0).toBeLessThanOrEqual(4_000)
        expect(['', 'PvP', 'PvE', undefined]).toContain(profile.gameMode)
      }
    }
  },
  30_000,
)
