// What the endpoints of favorites take and return (interface.md §2 "Favorite record", "Favorite server item").
import * as z from 'zod'
import { ServerBrief } from '../directory/index.ts'

export const Favorite = z
  .object({ id: z.uuid(), userId: z.uuid(), serverId: z.uuid(), createdAt: z.iso.datetime({ precision: 3 }) })
  .meta({ id: 'Favorite' })

export const FavoriteServer = ServerBrief.meta({ id: 'FavoriteServer' })
export type FavoriteServer = z.output<typeof FavoriteServer>
export const Favorites = z.object({ favorites: z.array(FavoriteServer) })
