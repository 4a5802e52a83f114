// What the games' own clients take to join a server: addresses without a port, and links. Each entry names where that
// is documented.

interface Documented {
  /** The client's documentation or source code, or its maintainers' word. */
  source: string
  games: readonly string[]
}

/** Clients that connect to the game's usual port (games.ts) if an address has none. */
export const ASSUMES_USUAL_PORT: readonly Documented[] = [
  {
    source: 'https://github.com/PrismarineJS/node-minecraft-protocol/blob/master/src/client/tcp_dns.js',
    games: ['minecraft'],
  },
  // The form has a field for the port, which is filled in.
  { source: 'https://geysermc.org/wiki/geyser/setup/', games: ['mbe'] },
  { source: 'https://github.com/mumble-voip/mumble/blob/master/src/Net.h', games: ['mumble', 'mgm'] },
  { source: 'http://teamspeak-wiki.de/w/Client', games: ['teamspeak3'] },
  {
    source: 'https://github.com/citizenfx/fivem/blob/master/code/components/net-base/include/NetAddress.h',
    games: ['gta5f', 'rdr2r'],
  },
  {
    source: 'https://github.com/openmultiplayer/launcher/blob/master/src/containers/ExternalServerHandler/index.tsx',
    games: ['gtasam', 'gtasao'],
  },
  {
    source: 'https://github.com/multitheftauto/mtasa-blue/blob/master/Client/core/CCore.cpp',
    games: ['gtasamta'],
  },
  {
    source: 'https://github.com/ioquake/ioq3/blob/main/code/client/cl_main.c',
    games: ['q3a', 'openarena', 'urbanterror', 'wet', 'rtcw'],
  },
  {
    source: 'https://github.com/DarkPlacesEngine/DarkPlaces/blob/master/netconn.c',
    games: ['xonotic', 'nexuiz'],
  },
  { source: 'https://github.com/OpenTTD/OpenTTD/blob/master/docs/multiplayer.md', games: ['openttd'] },
  { source: 'https://wiki.factorio.com/Multiplayer', games: ['factorio'] },
  { source: 'https://github.com/community-valheim-tools/valheim-server-docker', games: ['valheim'] },
  { source: 'https://wiki.facepunch.com/gmod/permissions.AskToConnect', games: ['garrysmod'] },
]

/** What a link is made of. All parts are safe in a URL. */
export interface LinkParts {
  /** A DNS name, an IPv4 address, or an IPv6 address in brackets. */
  host: string
  /** The game port; undefined if the client finds it out itself. */
  port: number | undefined
  gamePort: number
  queryPort: number
  /** The server's name, percent-encoded. */
  name: string
}

export type HostKind = 'name' | 'IPv4' | 'IPv6'

interface JoinLink extends Documented {
  url: (server: LinkParts) => string
  /** Which hosts the client is known to take in its links; names and IPv4 addresses if absent. */
  hosts?: readonly HostKind[]
}

const ALL_HOSTS = ['name', 'IPv4', 'IPv6'] as const

/** Steam asks the query port which game it is and where to connect, and starts the game with that address. */
const steamConnect = ({ host, queryPort }: LinkParts) => `steam://connect/${host}:${queryPort}`

/** `host` or `host:port`, as the client takes it. */
const address = ({ host, port }: LinkParts) => (port === undefined ? host : `${host}:${port}`)

/**
 * Games without an entry have no link that is known to work: Minecraft's Java Edition, BeamMP and OpenTTD register
 * none, and many games on Steam ignore the address with which Steam starts them.
 */
export const JOIN_LINKS: readonly JoinLink[] = [
  {
    source: 'https://developer.valvesoftware.com/wiki/Steam_browser_protocol', // all GoldSrc and Source engines, with mods
    // biome-ignore format: several games a line
    games: [
      'actionsource', 'ahl', 'aoc', 'basedefense', 'blackmesa', 'bladesymphony', 'brainbread', 'brainbread2',
      'codenamecure', 'contagion', 'counterstrike16', 'cscz', 'css', 'dab', 'ddd', 'deathmatchclassic', 'dod',
      'dods', 'doi', 'dystopia', 'empiresmod', 'fof', 'fortressforever', 'garrysmod', 'goldeneyesource', 'hl2d',
      'hld', 'hlds', 'hlof', 'insurgency', 'kreedzclimbing', 'l4d', 'l4d2', 'naturalselection', 'nmrih',
      'nucleardawn', 'pvak2', 'ricochet', 'suicidesurvival', 'svencoop', 'synergy', 'teamfortress2', 'tfc',
      'thehidden', 'theship', 'thespecialists', 'vampireslayer', 'zombiemaster', 'zps',
    ],
    url: steamConnect,
  },
  { source: 'https://github.com/SmartlyDressedGames/U3-SDK/issues/2854', games: ['unturned'], url: steamConnect },
  { source: 'https://github.com/SmartlyDressedGames/U3-SDK/issues/115', games: ['rust'], url: steamConnect },
  { source: 'https://github.com/GrapeshotGames/ServerGridEditor/issues/15', games: ['ase'], url: steamConnect },
  { source: 'https://github.com/F1r3w477/my-tutorials/pull/1', games: ['valheim'], url: steamConnect },
  {
    source: 'https://github.com/CubeCoders/AMPTemplates', // Meta.EndpointURIFormat of the game's template
    games: ['quakelive', 'spaceengineers'],
    url: steamConnect,
  },
  {
    source: 'https://github.com/Facepunch/sbox-issues/issues/7117',
    games: ['counterstrike2'],
    url: ({ host, gamePort }) => `steam://run/730//+connect%20${host}:${gamePort}`,
  },
  {
    source: 'https://wiki.factorio.com/Command_line_parameters',
    games: ['factorio'],
    url: ({ host, gamePort }) => `steam://run/427520//--mp-connect%20${host}:${gamePort}/`,
  },
  {
    source: 'https://github.com/Daniel-Ric/Minecraft-Deeplink-Redirect',
    games: ['mbe'],
    url: ({ name, host, gamePort }) => `minecraft://?addExternalServer=${name}|${host}:${gamePort}`,
  },
  {
    source: 'https://github.com/citizenfx/fivem/blob/master/code/components/glue/src/ConnectToNative.cpp',
    games: ['gta5f'],
    url: (server) => `fivem://connect/${address(server)}`,
    hosts: ALL_HOSTS,
  },
  {
    source: 'https://github.com/citizenfx/fivem/blob/master/code/components/glue/src/ConnectToNative.cpp',
    games: ['rdr2r'],
    url: (server) => `redm://connect/${address(server)}`,
    hosts: ALL_HOSTS,
  },
  {
    source: 'https://docs.altv.mp/articles/connectprotocol.html',
    games: ['gta5am'],
    url: (server) => `altv://connect/${encodeURIComponent(address(server))}`,
    hosts: ALL_HOSTS,
  },
  {
    source: 'https://github.com/tltneon/lgsl/blob/master/lgsl_files/lgsl_class.php',
    games: ['gta5r'],
    url: ({ host, gamePort }) => `rage://v/connect?ip=${host}:${gamePort}`,
  },
  {
    source: 'https://github.com/multitheftauto/mtasa-blue/blob/master/Client/core/CCore.cpp',
    games: ['gtasamta'],
    url: (server) => `mtasa://${address(server)}`,
  },
  {
    source: 'https://github.com/openmultiplayer/launcher/blob/master/src/containers/ExternalServerHandler/index.tsx',
    games: ['gtasam', 'gtasao'],
    url: (server) => `samp://${address(server)}`,
  },
  {
    source: 'https://github.com/mumble-voip/mumble/blob/master/src/mumble/main.cpp',
    games: ['mumble', 'mgm'],
    url: (server) => `mumble://${address(server)}/?version=1.2.0`,
    hosts: ALL_HOSTS,
  },
  {
    source: 'https://github.com/Austinb/GameQ/blob/v3/src/GameQ/Protocols/Teamspeak3.php',
    games: ['teamspeak3'],
    url: ({ host, port }) => `ts3server://${host}${port === undefined ? '' : `?port=${port}`}`,
  },
  {
    source: 'https://github.com/etlegacy/etlegacy/blob/master/misc/com.etlegacy.ETLegacy.desktop',
    games: ['wet'],
    url: (server) => `et://${address(server)}`,
  },
  {
    source: 'https://github.com/Austinb/GameQ/blob/v3/src/GameQ/Protocols/Soldat.php',
    games: ['soldat'],
    url: ({ host, gamePort }) => `soldat://${host}:${gamePort}`,
  },
  {
    source: 'https://github.com/anegostudios/VintageStory-Issues/issues/9988', // with names it fails
    games: ['vintagestory'],
    url: ({ host, gamePort }) => `vintagestoryjoin://${host}:${gamePort}`,
    hosts: ['IPv4'],
  },
]

interface JoinNeeds extends Documented {
  needs: JoinRequirement
}

/** What a player's game must have in common with the server's. */
export type JoinRequirement = 'version' | 'version and mods'

export const JOIN_NEEDS: readonly JoinNeeds[] = [
  { source: 'https://minecraft.wiki/w/Protocol_version', games: ['minecraft', 'mbe'], needs: 'version' },
  { source: 'https://wiki.factorio.com/Multiplayer', games: ['factorio'], needs: 'version and mods' },
  {
    source: 'https://github.com/OpenTTD/OpenTTD/blob/master/docs/multiplayer.md',
    games: ['openttd'],
    needs: 'version and mods',
  },
]
