// Whether players need a password. gamedig's results start with `password: false`, so its value says nothing for
// protocols that never set it, and for those that set it only to true.
import type { QueryResult } from 'gamedig'
import { type Fields, fieldsOf } from './fields.ts'
import { safeFlag } from './safe-values.ts'

type ReadPassword = (result: QueryResult, raw: Fields) => unknown

/** What gamedig's result says. */
const ofGamedig: ReadPassword = ({ password }) => password
/** The field of the same name in the server's reply. */
const ofServer: ReadPassword = (_result, { password }) => password
/** Quake III's and Call of Duty's fields are flags; the second bit of Quake II's is about spectators. */
const quake: ReadPassword = (_result, { g_needpass, pswrd, needpass }) =>
  g_needpass ?? pswrd ?? (needpass === undefined ? undefined : Number(needpass) & 1)

/** How to read the password flag, by protocol. A test compares the list with gamedig's sources. */
export const PASSWORDS: Readonly<Record<string, ReadPassword>> = {
  altvmp: ofGamedig,
  asa: ofGamedig,
  ase: ofGamedig,
  assettocorsa: ofGamedig,
  // Older servers' replies end before this field and the next, the uptime.
  battlefield: ({ password }, { uptime }) => (uptime === undefined ? undefined : password),
  beammp: ofGamedig,
  cs2d: ofGamedig,
  dayz: ofGamedig,
  doom3: (_result, { si_usepass, si_needPass }) => si_usepass ?? si_needPass,
  eco: ofGamedig,
  eldewrito: (_result, { passworded }) => passworded !== undefined,
  epic: ofGamedig,
  factorio: ofGamedig,
  ffow: ofGamedig,
  fivem: quake,
  gamespy1: ofServer,
  gamespy2: ofServer,
  gamespy3: ofServer,
  goldsrc: ofGamedig,
  gtasao: ofGamedig,
  hawakening: ofGamedig,
  hexen2: quake,
  jc2mp: ofServer,
  mafia2mp: ofGamedig,
  mafia2online: ofGamedig,
  minetest: ofGamedig,
  openttd: ofGamedig,
  quake1: quake,
  quake2: quake,
  quake3: quake,
  renegadex: (_result, { Variables }) => fieldsOf(Variables).bPassworded,
  renown: ofGamedig,
  rfactor: ofGamedig,
  samp: ofGamedig,
  sdtd: ofGamedig,
  squad: ofGamedig,
  starsiege: ofGamedig,
  teamspeak3: (_result, { virtualserver_flag_password }) => virtualserver_flag_password,
  terraria: (_result, { serverpassword }) => serverpassword,
  theisleevrima: ofGamedig,
  toxikk: ofGamedig,
  tribes1: ofGamedig,
  // The games report this rule only if there is a password; gamedig reads it the other way round.
  unreal2: (_result, { rules }) =>
    Object.keys(fieldsOf(rules)).length ? 'GamePassword' in fieldsOf(rules) : undefined,
  ut3: ofServer,
  valve: ofGamedig,
  vcmp: ofGamedig,
  ventrilo: (_result, { AUTH }) => AUTH,
  vintagestory: ofGamedig,
  warsow: quake,
  xonotic: quake,
}

/** @returns null if the protocol, or this answer, does not tell */
export function hasPassword(protocol: string, result: QueryResult): boolean | null {
  const read = Object.hasOwn(PASSWORDS, protocol) ? PASSWORDS[protocol] : undefined
  return read ? safeFlag(read(result, fieldsOf(result.raw))) : null
}
