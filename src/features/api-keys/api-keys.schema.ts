// Requests and responses of API keys.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { SCOPES } from '../../platform/http/scopes.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line } from '../../platform/text.ts'
import { TIERS } from './tiers.ts'

export const NO_SUCH_KEY = 'You have no such API key.'

const name = line(1, 100).describe('What the key is for, to distinguish it from others')

const scopes = z
  .array(z.enum(SCOPES))
  .min(1, 'must name at least one scope')
  .refine((given) => new Set(given).size === given.length, 'must name each scope once')
  .meta({ uniqueItems: true })
  .describe('What the key may be used for')

export const NewApiKey = z.object({
  name,
  scopes: scopes.default([...SCOPES]).describe('What the key may be used for; default: all'),
})
export const ApiKeyChanges = z.strictObject({
  name: name.optional(),
  scopes: scopes.optional(),
  isActive: z
    .boolean('must be true or false')
    .describe('`false` deactivates the key until it is set to `true` again')
    .optional(),
})
export const ApiKeyParams = z.object({ id: idParam('API key id', NO_SUCH_KEY) })

const fields = {
  id: z.uuid(),
  name: z.string(),
  key: z.string().meta({ description: 'The public half of the credential', examples: ['sd_4fKq0Zt7mVbX2sR9cLwYpE3d'] }),
  tier: z.enum(TIERS).describe('The owner’s subscription tier'),
  rateLimit: z.int().describe('Requests per minute that the tier allows, for all keys of the account together'),
  isActive: z.boolean(),
  createdAt: Timestamp,
}

export const ApiKey = z.object(fields).meta({ id: 'ApiKey' })
export const ApiKeyItem = z
  .object({ ...fields, lastUsedAt: Timestamp.nullable().describe('Accurate to a minute; null if it was never used') })
  .meta({ id: 'ApiKeyItem' })
/** An API key with its scopes, which the documented objects do not have. */
export const ScopedApiKey = ApiKeyItem.extend({
  scopes: z.array(z.enum(SCOPES)).describe('What the key may be used for'),
}).meta({ id: 'ScopedApiKey' })
export const ApiKeys = z.object({ apiKeys: z.array(ApiKeyItem) })
export const CreatedApiKey = z
  .object({ ...fields, secret: z.string().describe('Returned in this response only') })
  .meta({ id: 'CreatedApiKey' })
