// What servers send of themselves: in the directory's own form, and as Luanti servers send it.
import * as z from 'zod'
import { text } from '../../platform/text.ts'
import { listingFields } from '../servers/index.ts'

const action = z.enum(['start', 'update', 'delete'], 'must be start, update or delete')

export const NewAnnouncement = z.object({
  action: action.default('update').describe('`delete`: the server stops'),
  game: listingFields.game.describe('gamedig type id'),
  gamePort: listingFields.port.optional().describe('Default: the game’s usual one'),
  queryPort: listingFields.port.optional().describe('Default: the game’s usual one for its game port'),
  ipAddress: listingFields.ipAddress
    .optional()
    .describe('What players type, if it is a name; it must lead to the address that the request comes from'),
  name: listingFields.name.optional().describe('Shown until a poll has read the server’s own'),
})

export const Announced = z.object({ message: z.string() })

/** Longer texts are cut, because a server can’t be asked to send shorter ones. Lone surrogates can’t be stored. */
const cut = (most: number) =>
  text()
    .transform((value) => value.slice(0, most).toWellFormed())
    .default('')

const count = z.int().min(0).max(65_535).default(0)
const MAX_MODS = 200

/** The fields that polls read of a server in the publisher’s list, and what identifies it. */
export const LuantiAnnouncement = z.object({
  action,
  port: listingFields.port.default(30_000),
  address: z.string().max(300).default('').describe('Empty: the address that the request comes from'),
  name: cut(100),
  description: cut(500),
  version: cut(50),
  url: cut(200),
  clients: count,
  clients_max: count,
  mods: z
    .array(z.string())
    .transform((mods) => mods.slice(0, MAX_MODS).map((mod) => mod.slice(0, 50).toWellFormed()))
    .default([]),
  pvp: z.boolean().optional(),
  password: z.boolean().optional(),
})
export type LuantiAnnouncement = z.output<typeof LuantiAnnouncement>
