// The demo's fifty simulated servers: players join and leave, some servers lose datagrams, a few go down and come back.
import { createHash } from 'node:crypto'
import { COMMUNITIES, type Community } from '../demo/communities.ts'
import { drawLogo, renderPng } from '../demo/drawing.ts'
import { loopbackAddress, seededRandom } from './fleet.ts'
import { startMinecraftServer } from './minecraft.ts'
import { type SimulatedServer, startSimulatedServer } from './server.ts'

/** A demo server as a server creation request describes it; in the order of `COMMUNITIES`. */
export interface DemoListing {
  name: string
  nameFromServer: boolean
  description: string
  game: string
  ipAddress: string
  queryPort: number
  gamePort: number
  gameMode?: 'PvP' | 'PvE' | 'PvPvE'
  tags: string
  rates: string
  mods: string
  website: string
}

/** What each tick changes. */
interface Changing {
  info: Pick<SimulatedServer['info'], 'players' | 'maxPlayers'>
  faults: Pick<SimulatedServer['faults'], 'silent'>
}

const COUNT = COMMUNITIES.length
const QUERY_PORT = 27_115
const FIRST_ADDRESS = 2_000_000
/** Blocks of fifty addresses. */
const BLOCKS = 10_000
const MINECRAFT = 'minecraft'
const ICON_PIXELS = 64

const WORLDS: Record<string, { maps: readonly string[]; version: string }> = {
  arma3: { maps: ['Stratis', 'Altis', 'Tanoa'], version: '2.18' },
  ase: { maps: ['TheIsland', 'Ragnarok', 'ScorchedEarth_P', 'Aberration_P', 'CrystalIsles'], version: '361.7' },
  conanexiles: { maps: ['ConanSandbox', 'DLC_Isle_of_Siptah'], version: '1.0' },
  counterstrike2: { maps: ['de_dust2', 'de_inferno', 'de_mirage', 'cs_office'], version: '1.40.2.1' },
  dayz: { maps: ['chernarusplus'], version: '1.26' },
  garrysmod: { maps: ['rp_downtown', 'ph_restaurant', 'gm_construct', 'ttt_minecraft_b5'], version: '2024.10.29' },
  l4d2: { maps: ['c1m1_hotel', 'c2m1_highway'], version: '2.2.3.6' },
  [MINECRAFT]: { maps: [''], version: '1.21.4' },
  projectzomboid: { maps: ['Muldraugh, KY'], version: '41.78' },
  rust: { maps: ['Procedural Map', 'Barren', 'HapisIsland'], version: '2592' },
  teamfortress2: { maps: ['ctf_2fort', 'pl_badwater'], version: '9543365' },
  theforest: { maps: ['Forest'], version: '1.12' },
  unturned: { maps: ['PEI', 'Russia'], version: '3.24.7.0' },
  valheim: { maps: ['Start'], version: '0.219.16' },
}

/**
 * A block of addresses derived from the data folder, so that a restarted demo finds its servers listed, and another
 * demo on this machine most likely gets another block.
 */
function firstAddress(dataFolder: string): number {
  const block = createHash('sha256').update(dataFolder).digest().readUInt32BE() % BLOCKS
  return FIRST_ADDRESS + block * COUNT
}

/** The listing of demo server number `index`. */
function listing(community: Community, index: number, first: number): DemoListing {
  const { game, name, about, mode, tags, rates = '', mods = '', unclaimed = false } = community
  const ownsAddress = process.platform === 'linux'
  const queryPort = ownsAddress ? QUERY_PORT : QUERY_PORT + index
  return {
    name,
    nameFromServer: unclaimed,
    description: about,
    game,
    ipAddress: ownsAddress ? loopbackAddress(first + index) : '127.0.0.1',
    queryPort,
    gamePort: game === MINECRAFT ? queryPort : 7777 + index,
    ...(mode && { gameMode: mode }),
    tags: `${tags},demo`,
    rates,
    mods,
    website: unclaimed ? '' : 'https://example.com',
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
  const listings = COMMUNITIES.map((community, index) => listing(community, index, first))
  const servers = await Promise.all(
    COMMUNITIES.map((community, index) => {
      const { ipAddress: address, queryPort: port, gamePort } = listings[index] as DemoListing
      return startServer(community, { address, port, gamePort, index, random })
    }),
  )
  setInterval(() => live(servers, random), 5_000)
  return listings
}

interface Place {
  address: string
  port: number
  gamePort: number
  index: number
  random: () => number
}

async function startServer(community: Community, { address, port, gamePort, index, random }: Place): Promise<Changing> {
  const { game, name, tags, slots, players, look, hasPassword = false } = community
  const world = WORLDS[game]
  if (!world) throw new Error(`the demo has no world of ${game}`)
  const info = { players: Math.round(players * (0.7 + random() * 0.3)), maxPlayers: slots, version: world.version }
  if (game === MINECRAFT && look) {
    const motd = `§6§l${name}\n§7${tags.split(',').join(' §8| §7')}`
    const icon = renderPng(drawLogo(look), ICON_PIXELS)
    return startMinecraftServer({ address, port, info, motd, icon })
  }
  return startSimulatedServer({
    address,
    port,
    random,
    info: { ...info, name, gamePort, hasPassword, map: world.maps[index % world.maps.length] ?? '', keywords: 'demo' },
    faults: { loss: index % 5 === 0 ? 0.05 : 0, delayMs: Math.floor(random() * 80) },
  })
}

/** One step: player counts drift around what is usual, and a few servers are down for three of ten minutes. */
function live(servers: Changing[], random: () => number): void {
  const minute = Math.floor(Date.now() / 60_000)
  servers.forEach(({ info, faults }, index) => {
    const usual = COMMUNITIES[index]?.players ?? 0
    const drift = (random() - 0.5) * Math.max(3, info.maxPlayers / 14) + (usual - info.players) / 20
    info.players = Math.max(0, Math.min(info.maxPlayers, Math.round(info.players + drift)))
    faults.silent = index % 10 === 9 && (minute + index) % 10 < 3
  })
}
