// Whether players need a password. gamedig's results start with `password: false`, so its value says nothing for
// protocols that never set it, and for those that set it only to true.
import type { QueryResult } from 'gamedig'
import { type Fields, fieldsOf } from './fields.ts'
import { safeFlag } from './safe-values.ts'

type ReadPassword = (result: QueryResult, raw: Fields) => unknown

const asSet: ReadPassword = ({ password }) => password
const inRaw: ReadPassword = (_result, { password }) => password
/** Quake III's and Call of Duty's fields are flags; the second bit of Quake II's is about spectators. */
const quake: ReadPassword = (_result, { g_needpass, pswrd, needpass }) =>
  g_needpass ?? pswrd ?? (needpass === undefined ? undefined : Number(needpass) & 1)

/** How to read the password flag, by protocol. A test compares the list with gamedig's sources. */
export const PASSWORDS: Readonly<Record<string, ReadPassword>> = {
  altvmp: asSet,
  asa: asSet,
  ase: asSet,
  assettocorsa: asSet,
  // Older servers' replies end before this field and the next, the uptime.
  battlefield: ({ password }, { uptime }) => (uptime === undefined ? undefined : password),
  beammp: asSet,
  cs2d: asSet,
  dayz: asSet,
  doom3: (_result, { si_usepass, si_needPass }) => si_usepass ?? si_needPass,
  eco: asSet,
  eldewrito: (_result, { passworded }) => passworded !== undefined,
  epic: asSet,
  factorio: asSet,
  ffow: asSet,
  fivem: quake,
  gamespy1: inRaw,
  gamespy2: inRaw,
  gamespy3: inRaw,
  goldsrc: asSet,
  gtasao: asSet,
  hawakening: asSet,
  hexen2: quake,
  jc2mp: inRaw,
  mafia2mp: asSet,
  mafia2online: asSet,
  minetest: asSet,
  openttd: asSet,
  quake1: quake,
  quake2: quake,
  quake3: quake,
  renegadex: (_result, { Variables }) => fieldsOf(Variables).bPassworded,
  renown: asSet,
  rfactor: asSet,
  samp: asSet,
  sdtd: asSet,
  squad: asSet,
  starsiege: asSet,
  teamspeak3: (_result, { virtualserver_flag_password }) => virtualserver_flag_password,
  terraria: (_result, { serverpassword }) => serverpassword,
  theisleevrima: asSet,
  toxikk: asSet,
  tribes1: asSet,
  // The games report this rule only if there is a password; gamedig reads it the other way round.
  unreal2: (_result, { rules }) =>
    Object.keys(fieldsOf(rules)).length ? 'GamePassword' in fieldsOf(rules) : undefined,
  ut3: inRaw,
  valve: asSet,
  vcmp: asSet,
  ventrilo: (_result, { AUTH }) => AUTH,
  vintagestory: asSet,
  warsow: quake,
  xonotic: quake,
}

/** @returns null if the protocol, or this answer, does not tell */
export function hasPassword(protocol: string, result: QueryResult): boolean | null {
  const read = Object.hasOwn(PASSWORDS, protocol) ? PASSWORDS[protocol] : undefined
  return read ? safeFlag(read(result, fieldsOf(result.raw))) : null
}
