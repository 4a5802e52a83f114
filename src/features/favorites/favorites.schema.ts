// What the endpoints of favorites take and return (interface.md §2 "Favorite record", "Favorite server item").
import * as z from 'zod'

export const FavoriteParams = z.object({ id: z.string().describe('Server id') })

export const Favorite = z
  .object({ id: z.uuid(), userId: z.uuid(), serverId: z.uuid(), createdAt: z.iso.datetime({ precision: 3 }) })
  .meta({ id: 'Favorite' })

const count = z.int().min(0)

export const FavoriteServer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    ipAddress: z.string(),
    gamePort: z.int(),
    currentPlayers: count,
    maxPlayers: count,
    isOnline: z.boolean(),
    map: z.string().describe('Map name; empty when unknown'),
  })
  .meta({ id: 'FavoriteServer' })
export const Favorites = z.object({ favorites: z.array(FavoriteServer) })
export const Success = z.object({ success: z.boolean() })
