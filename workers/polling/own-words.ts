// Where game servers' answers have what they say about themselves. Values are as they were sent: profile.ts makes them
// safe.
import type { QueryResult } from 'gamedig'
import { plainMotd } from '../../src/features/servers/index.ts'
import { type Fields, fieldsOf, isFields } from './fields.ts'
import { safeFlag } from './safe-values.ts'

/** Values by field of a profile. A missing field was not requested. */
export interface OwnWords {
  name?: unknown
  motd?: unknown
  icon?: unknown
  gameMode?: unknown
  mods?: unknown
  description?: unknown
  website?: unknown
  bannerUrl?: unknown
}

const MAX_PARTS = 2_000
const MAX_TEXT = 20_000

/** Whether rules tell anything of this game that other answers do not. */
export const rulesDescribe = (game: string): boolean => Object.hasOwn(RULES, game)

export function ownWordsOf(game: string, protocol: string, result: QueryResult): OwnWords {
  const raw = fieldsOf(result.raw)
  const words: OwnWords = { name: result.name }
  if (Object.hasOwn(ANSWERS, protocol)) Object.assign(words, ANSWERS[protocol]?.(raw, result))
  // Servers that send no rules leave an empty object.
  if (rulesDescribe(game) && isFields(raw.rules) && Object.keys(raw.rules).length)
    Object.assign(words, RULES[game]?.(raw.rules, raw))
  return words
}

/** What rules say, by game. Only few polls read rules (world-fingerprint.ts). */
const RULES: Readonly<Record<string, (rules: Fields, raw: Fields) => OwnWords>> = {
  ase: (rules) => ({
    gameMode: modeByPve(rules.SESSIONISPVE_i),
    // `MOD0_s` is a workshop id, a colon and a checksum.
    mods: numberedValues(rules, /^MOD(\d{1,3})_s$/).map((value) => split(value, ':')[0]),
  }),
  dayz: (_rules, { dayzMods }) => ({ mods: fieldOfEach(dayzMods, 'title') }),
  projectzomboid: (rules) => ({
    gameMode: modeByPvp(rules.pvp),
    description: rules.description,
    ...('mods' in rules ? { mods: split(rules.mods, ';') } : {}),
  }),
  rust: (rules, { tags }) => ({
    // Set by operators too whose plugins, not the rule, keep players from killing each other.
    gameMode: hasTag(tags, 'pve') ? 'PvE' : modeByPve(rules.pve),
    description: numberedValues(rules, /^description_(\d{1,2})$/)
      .join('')
      .replaceAll('\\n', '\n')
      .replaceAll('\\t', ' '),
    website: rules.url,
    bannerUrl: rules.headerimage,
  }),
  sdtd: ({ PlayerKillingMode, ServerDescription, ServerWebsiteURL }) => ({
    // 1 is for allies only.
    gameMode: { 0: 'PvE', 2: 'PvP', 3: 'PvP' }[String(PlayerKillingMode)],
    description: ServerDescription,
    website: ServerWebsiteURL,
  }),
}

/** What each answer says, by protocol. */
const ANSWERS: Readonly<Record<string, (raw: Fields, result: QueryResult) => OwnWords>> = {
  altvmp: ({ description, website }) => ({ description, website }),
  armagetron: ({ options, uri }) => ({ description: options, website: uri }),
  asa: ({ attributes }) => {
    const { SESSIONISPVE_l, ENABLEDMODS_s } = fieldsOf(attributes)
    return { gameMode: modeByPve(SESSIONISPVE_l), mods: split(ENABLEDMODS_s, ',') }
  },
  beammp: ({ sdesc, modlist }) => ({
    description: without(sdesc, /\^./g),
    mods: split(modlist, ';').map((file) => file.replace(/^\/|\.zip$/gi, '')),
  }),
  brokeprotocol: ({ url, plugins }) => ({ website: url, mods: fieldOfEach(plugins, 'name') }),
  eco: ({ DetailedDescription }) => ({ description: without(DetailedDescription, /<[^<>]{1,60}>/g) }),
  factorio: ({ description, mods }, { name }) => ({
    name: without(name, FACTORIO_TAGS),
    description: without(description, FACTORIO_TAGS),
    mods: fieldOfEach(mods, 'name'),
  }),
  fivem: ({ info }, { name }) => {
    const { icon, resources, vars } = fieldsOf(info)
    const { sv_projectDesc, banner_detail, banner_connecting } = fieldsOf(vars)
    return {
      name: without(name, /\^\d/g),
      icon,
      mods: resources,
      description: without(sv_projectDesc, /\^\d/g),
      bannerUrl: banner_detail ?? banner_connecting,
    }
  },
  // Asked in three ways at once, of which some may stay without an answer.
  minecraft: ({ vanilla, bedrock, gamespy }) =>
    isFields(vanilla) ? javaWords(fieldsOf(vanilla.raw)) : { motd: fieldsOf(bedrock ?? gamespy).name },
  minecraftbedrock: (_raw, { name }) => ({ name: typeof name === 'string' ? plainMotd(name) : name, motd: name }),
  minecraftvanilla: (raw) => javaWords(raw),
  minetest: ({ description, url, mods, pvp }) => ({
    description,
    website: url,
    mods,
    gameMode: modeByPvp(pvp),
  }),
  rfactor: ({ motd }) => ({ motd }),
  samp: ({ rules }) => ({ website: sampWebsite(fieldsOf(rules).weburl) }),
  starmade: ({ description }) => ({ description }),
  teamspeak3: (raw) => ({
    motd: without(fromQuery(raw.virtualserver_welcomemessage), /\[\/?[a-z][^[\]]{0,200}\]/gi),
    website: fromQuery(raw.virtualserver_hostbanner_url),
    bannerUrl: fromQuery(raw.virtualserver_hostbanner_gfx_url),
  }),
  tribes1: ({ motd }) => ({ motd }),
  vintagestory: ({ gameDescription, mods }) => ({
    description: without(gameDescription, /<[^<>]{1,200}>/g),
    mods: fieldOfEach(mods, 'id').filter((id) => id !== 'game' && id !== 'creative' && id !== 'survival'),
  }),
}

const FACTORIO_TAGS = /\[\/?(?:color|font)[^[\]]{0,60}\]/g
/** The game and its loaders, which report themselves as mods. */
const MINECRAFT_ITSELF = new Set<unknown>(['minecraft', 'mcp', 'FML', 'Forge', 'forge', 'neoforge'])

/** Reads the status of a Minecraft server, with the message as message-of-the-day.ts leaves it. */
function javaWords({ motd, favicon, forgeData, modinfo }: Fields): OwnWords {
  const { mods, d: packed } = fieldsOf(forgeData)
  const ids = mods === undefined ? fieldOfEach(fieldsOf(modinfo).modList, 'modid') : fieldOfEach(mods, 'modId')
  return {
    motd,
    icon: favicon,
    // Forge packs long lists.
    ...(packed === undefined ? { mods: ids.filter((id) => !MINECRAFT_ITSELF.has(id)) } : {}),
  }
}

/** The rule has the game's own site until an operator changes it; many leave the scheme out. */
function sampWebsite(weburl: unknown): unknown {
  if (typeof weburl !== 'string' || /^(?:www\.)?(?:sa-mp\.com|open\.mp)\/?$/i.test(weburl.trim())) return ''
  return /^www\./i.test(weburl) ? `http://${weburl}` : weburl
}

/** Escapes of TeamSpeak's queries that gamedig leaves. */
const fromQuery = (value: unknown): unknown =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT).replaceAll('\\n', '\n').replaceAll('\\p', '|') : value

/** @param value of a flag that says whether players can't fight each other */
const modeByPve = (value: unknown): string => modeBy(value, 'PvE', 'PvP')

/** @param value of a flag that says whether players can fight each other */
const modeByPvp = (value: unknown): string => modeBy(value, 'PvP', 'PvE')

/** @returns '' if the value is no flag */
function modeBy(value: unknown, ifTrue: 'PvP' | 'PvE', ifFalse: 'PvP' | 'PvE'): string {
  const known = safeFlag(value)
  if (known === null) return ''
  return known ? ifTrue : ifFalse
}

/** The values of numbered rules, in order. */
function numberedValues(rules: Fields, key: RegExp): unknown[] {
  return Object.entries(rules)
    .map(([rule, value]) => ({ number: key.exec(rule)?.[1], value }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => Number(a.number) - Number(b.number))
    .map(({ value }) => value)
}

const hasTag = (tags: unknown, tag: string): boolean =>
  Array.isArray(tags) && tags.some((one) => typeof one === 'string' && one.trim().toLowerCase() === tag)

const split = (value: unknown, separator: string): string[] =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT).split(separator, MAX_PARTS) : []

const without = (value: unknown, codes: RegExp): unknown =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT).replace(codes, '') : value

/** One field of each object of a list. */
const fieldOfEach = (list: unknown, field: string): unknown[] =>
  Array.isArray(list) ? list.slice(0, MAX_PARTS).map((one) => fieldsOf(one)[field]) : []
