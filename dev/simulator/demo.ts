// Fifty changing simulated servers: players join and leave, some servers lose datagrams, a few go down and come back.
import { createHash } from 'node:crypto'
import { loopbackAddress, seededRandom } from './fleet.ts'
import { type SimulatedServer, startSimulatedServer } from './server.ts'

/** A demo server as a server creation request describes it, and its players now. */
export interface DemoListing {
  name: string
  description: string
  game: string
  ipAddress: string
  queryPort: number
  gamePort: number
  gameMode: 'PvP' | 'PvE' | 'PvPvE'
  region: string
  country: string
  tags: string
  rates: string
  mods: string
  website: string
  players: number
  maxPlayers: number
}

const COUNT = 50
const QUERY_PORT = 27_115
const FIRST_ADDRESS = 2_000_000
/** Blocks of fifty addresses. */
const BLOCKS = 10_000

const PLACES = ['Amber', 'Basalt', 'Cinder', 'Dune', 'Ember', 'Frost', 'Granite', 'Harbour', 'Iron', 'Jade']
const KINDS = ['Hollow', 'Reach', 'Outpost', 'Frontier', 'Refuge']
// All of Valve's protocol, which the simulated servers speak.
const WORLDS = [
  { game: 'ase', maps: ['TheIsland', 'Ragnarok', 'ScorchedEarth_P', 'Aberration_P'], version: '361.7', maxPlayers: 70 },
  { game: 'rust', maps: ['Procedural Map', 'Barren', 'HapisIsland'], version: '2592', maxPlayers: 200 },
  { game: 'counterstrike2', maps: ['de_dust2', 'de_inferno', 'cs_office'], version: '1.40.2.1', maxPlayers: 24 },
  { game: 'valheim', maps: ['Start'], version: '0.219.16', maxPlayers: 10 },
  { game: 'garrysmod', maps: ['gm_construct', 'rp_downtown'], version: '2024.10.29', maxPlayers: 64 },
  { game: 'teamfortress2', maps: ['ctf_2fort', 'pl_badwater'], version: '9543365', maxPlayers: 32 },
  { game: 'arma3', maps: ['Altis', 'Tanoa'], version: '2.18', maxPlayers: 60 },
  { game: 'unturned', maps: ['PEI', 'Russia'], version: '3.24.7.0', maxPlayers: 24 },
  { game: 'conanexiles', maps: ['ConanSandbox', 'DLC_Isle_of_Siptah'], version: '1.0', maxPlayers: 40 },
  { game: 'projectzomboid', maps: ['Muldraugh, KY'], version: '41.78', maxPlayers: 32 },
  { game: 'theforest', maps: ['Forest'], version: '1.12', maxPlayers: 8 },
  { game: 'l4d2', maps: ['c1m1_hotel', 'c2m1_highway'], version: '2.2.3.6', maxPlayers: 8 },
] as const
/** Pretended, because loopback addresses are in no country. As many as not to pair each with one game. */
const COUNTRIES = ['DE', 'US', 'BR', 'JP', 'AU', 'FR', 'CA', 'PL', 'SG', 'ZA', 'SE', 'GB', 'CL'] as const
const MODES = ['PvP', 'PvE', 'PvPvE'] as const

const pick = <T>(from: readonly [T, ...T[]] | readonly T[], index: number): T => from[index % from.length] as T

/**
 * A block of addresses derived from the data folder, so that a restarted demo finds its servers listed, and another
 * demo on this machine most likely gets another block.
 */
function firstAddress(dataFolder: string): number {
  const block = createHash('sha256').update(dataFolder).digest().readUInt32BE() % BLOCKS
  return FIRST_ADDRESS + block * COUNT
}

/** The listing of demo server number `index`. */
function listing(index: number, first: number, random: () => number): DemoListing {
  const world = pick(WORLDS, index)
  const rate = 1 + (index % 5)
  return {
    name: `${pick(PLACES, index)} ${pick(KINDS, Math.floor(index / PLACES.length))} #${index + 1}`,
    description: `A simulated ${world.game} server of the demo.`,
    game: world.game,
    ipAddress: process.platform === 'linux' ? loopbackAddress(first + index) : '127.0.0.1',
    queryPort: process.platform === 'linux' ? QUERY_PORT : QUERY_PORT + index,
    gamePort: 7777 + index,
    gameMode: pick(MODES, index),
    // The others show the country's continent.
    region: index % 5 === 0 ? 'LAN party' : '',
    country: pick(COUNTRIES, index),
    tags: index % 2 ? 'demo,vanilla' : 'demo,modded',
    rates: `xp:${rate},harvest:${rate + 0.5},taming:${rate * 2}`,
    mods: index % 2 ? '' : 'StackSize,BetterBuilding',
    website: 'https://example.com',
    players: Math.floor(random() * world.maxPlayers * 0.8),
    maxPlayers: world.maxPlayers,
  }
}

/**
 * Starts the fifty servers and keeps them changing.
 * @param dataFolder of the directory that lists them; each folder has its own servers
 * @returns their listings
 */
export async function startDemo(dataFolder: string): Promise<DemoListing[]> {
  const random = seededRandom(7)
  const first = firstAddress(dataFolder)
  const listings = Array.from({ length: COUNT }, (_, index) => listing(index, first, random))
  const servers = await Promise.all(
    listings.map(({ name, ipAddress, queryPort, gamePort, players, maxPlayers }, index) => {
      const world = pick(WORLDS, index)
      return startSimulatedServer({
        address: ipAddress,
        port: queryPort,
        random,
        info: {
          name,
          gamePort,
          map: pick(world.maps, Math.floor(index / WORLDS.length)),
          version: world.version,
          maxPlayers,
          players,
          keywords: 'demo',
        },
        faults: { loss: index % 5 === 0 ? 0.05 : 0, delayMs: Math.floor(random() * 80) },
      })
    }),
  )
  setInterval(() => live(servers, random), 5_000)
  return listings
}

/** One step: player counts drift, and each tenth server is down for three of ten minutes. */
function live(servers: SimulatedServer[], random: () => number): void {
  const minute = Math.floor(Date.now() / 60_000)
  servers.forEach((server, index) => {
    const { info, faults } = server
    const drift = Math.round((random() - 0.5) * Math.max(4, info.maxPlayers / 10))
    info.players = Math.max(0, Math.min(info.maxPlayers, info.players + drift))
    faults.silent = index % 10 === 9 && (minute + index) % 10 < 3
  })
}
