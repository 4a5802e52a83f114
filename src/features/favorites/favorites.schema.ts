// Responses of favorites.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { ServerBrief } from '../directory/index.ts'

export const Favorite = z
  .object({ id: z.uuid(), userId: z.uuid(), serverId: z.uuid(), createdAt: Timestamp })
  .meta({ id: 'Favorite' })

export const FavoriteServer = ServerBrief.meta({ id: 'FavoriteServer' })
export type FavoriteServer = z.output<typeof FavoriteServer>
export const Favorites = z.object({ favorites: z.array(FavoriteServer) })
