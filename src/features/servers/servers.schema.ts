// What a new listing may say.
import * as z from 'zod'
import * as field from './listing-fields.ts'

/**
 * A server to be listed (interface: server creation request, and the update request's fields for imports).
 * Without `game` it is the setting DEFAULT_GAME; without `queryPort` the game's usual one.
 */
export const NewServer = z.object({
  name: field.name,
  ipAddress: field.ipAddress,
  gamePort: field.port,
  queryPort: field.port.optional(),
  game: field.game.optional(),
  gameMode: field.gameMode.optional(),
  description: field.description.default(''),
  region: field.region.default(''),
  tags: field.tags.default([]),
  website: field.webAddress.default(''),
  chatUrl: field.webAddress.default(''),
  bannerUrl: field.webAddress.default(''),
  rates: field.rates.default(''),
  mods: field.mods.default(''),
  lastWipeAt: field.lastWipeAt.optional(),
})

export type NewServer = z.output<typeof NewServer>
/** The same before it was checked and brought into its stored form. */
export type NewServerInput = z.input<typeof NewServer>
