// The services in DNS (SRV records, RFC 2782) by which games' clients find a server's host and port.
import { type Address, portToType } from './join.ts'

/** SRV services by game; a test compares Minecraft's with gamedig's sources. */
const SERVICES: Readonly<Record<string, string>> = {
  // minecraft.wiki/w/Tutorial:Setting_up_a_Java_Edition_server; the Bedrock edition's clients look for none.
  minecraft: '_minecraft._tcp',
  'protocol-minecraft': '_minecraft._tcp',
  'protocol-minecraftvanilla': '_minecraft._tcp',
  // support.teamspeak.com: does TeamSpeak support DNS SRV records? It gives the voice port.
  teamspeak3: '_ts3._udp',
  'protocol-teamspeak3': '_ts3._udp',
  // github.com/mumble-voip/mumble/blob/master/src/ServerResolver.cpp
  mumble: '_mumble._tcp',
  'protocol-mumbleping': '_mumble._tcp',
  // github.com/citizenfx/fivem/blob/master/code/components/net-base/src/NetAddress.cpp, which RedM shares
  gta5f: '_cfx._udp',
  rdr2r: '_cfx._udp',
  'protocol-fivem': '_cfx._udp',
}

/**
 * The service that the game's client looks for when a player types the server's address (`connectAddressOf`).
 * @returns undefined if it looks for none: the address has a port, or the client knows no service
 */
export function srvServiceOf({ game, gamePort, gamePortGiven }: Omit<Address, 'ipAddress'>): string | undefined {
  const isPortTyped = gamePortGiven && portToType({ game, gamePort, gamePortGiven }) !== undefined
  return isPortTyped || !Object.hasOwn(SERVICES, game) ? undefined : SERVICES[game]
}
