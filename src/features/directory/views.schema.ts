// What the other views of the directory take and return: mods and badge (api-decisions.md "Server features", "Directory").
import * as z from 'zod'

export const Mods = z.object({
  mods: z.array(z.object({ name: z.string() })).describe('In the order the owner wrote them'),
})
export const Badge = z.string().meta({ description: 'An SVG image' })
