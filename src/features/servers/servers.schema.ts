// The fields of a new listing.
import * as z from 'zod'
import { webAddress } from '../../platform/text.ts'
import * as field from './listing-fields.ts'

/**
 * A server to list: the fields of `createServer` and, for imports, of `updateServer`.
 * `game` defaults to the setting DEFAULT_GAME, `queryPort` to the game's usual one.
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
  website: webAddress.default(''),
  chatUrl: webAddress.default(''),
  bannerUrl: webAddress.default(''),
  rates: field.rates.default(''),
  mods: field.mods.default(''),
  lastWipeAt: field.lastWipeAt.optional(),
})

export type NewServer = z.output<typeof NewServer>
/** The input before validation and normalization. */
export type NewServerInput = z.input<typeof NewServer>
