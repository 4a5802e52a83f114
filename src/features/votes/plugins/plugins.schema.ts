// Requests and responses for reward plugins, which were written for other lists: the names are those lists' names.
import * as z from 'zod'
import { text } from '../../../platform/text.ts'
import { hasOneOf, voterFields } from '../votes.schema.ts'

const style = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}`).optional()

/** Exactly one of `steamid` and `username`. */
export const PluginQuery = z
  .object({
    key: text().describe('The vote key of your server'),
    steamid: voterFields.gamePlatformId.describe('The player’s `gamePlatformId`; of Steam in any form'),
    username: voterFields.username.describe('The player’s name; case is ignored, except in OpenTTD and Terraria'),
    action: style(['status', 'claim', 'post', 'custom']),
    object: style(['votes', 'plugin']),
    element: style(['claim', 'reward']),
  })
  .refine(hasOneOf('steamid', 'username'), { error: 'give either steamid or username', path: ['steamid'] })

type Style = Pick<z.output<typeof PluginQuery>, 'action' | 'object' | 'element'>

/** `claim` answers 2 for a player who has claimed before, `mark` 0. */
export type PluginRequest = 'status' | 'claim' | 'mark'

/** What a request asks, by the styles of other lists. @returns undefined for none of them */
export function pluginRequestOf(method: string, { action, object, element }: Style): PluginRequest | undefined {
  if (action === 'status' || action === 'claim') return action
  const asked = `${action ?? method} ${object} ${element}`
  if (asked === 'custom plugin reward') return 'claim'
  if (asked === 'post votes claim' || asked === 'POST votes claim') return 'mark'
  return asked === 'GET votes claim' || asked === 'HEAD votes claim' ? 'status' : undefined
}
