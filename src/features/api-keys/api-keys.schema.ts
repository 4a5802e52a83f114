// What the endpoints of API keys take and return (interface.md §2 "API key", §4).
import * as z from 'zod'
import { line } from '../../platform/text.ts'
import { TIERS } from './tiers.ts'

const name = line(1, 100).describe('What the key is for, to tell it from others')

export const NewApiKey = z.object({ name })
export const ApiKeyChanges = z.strictObject({
  name: name.optional(),
  isActive: z
    .boolean('must be true or false')
    .describe('`false` switches the key off until it is `true` again')
    .optional(),
})
export const ApiKeyParams = z.object({ id: z.string().describe('API key id') })

const instant = z.iso.datetime({ precision: 3 })

const fields = {
  id: z.uuid(),
  name: z.string(),
  key: z.string().meta({ description: 'The public half of the credential', examples: ['sd_4fKq0Zt7mVbX2sR9cLwYpE3d'] }),
  tier: z.enum(TIERS).describe('The owner’s subscription tier'),
  rateLimit: z.int().describe('Requests a minute that the tier allows, for all keys of the account together'),
  isActive: z.boolean(),
  createdAt: instant,
}

export const ApiKey = z.object(fields).meta({ id: 'ApiKey' })
export const ApiKeyItem = z
  .object({ ...fields, lastUsedAt: instant.nullable().describe('Accurate to a minute; null when never used') })
  .meta({ id: 'ApiKeyItem' })
export const ApiKeys = z.object({ apiKeys: z.array(ApiKeyItem) })
export const CreatedApiKey = z
  .object({ ...fields, secret: z.string().describe('Shown in this response only: it can’t be looked up later') })
  .meta({ id: 'CreatedApiKey' })
