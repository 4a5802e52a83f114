// Requests and responses for reward plugins, which were written for other lists: the names are those lists' names.
import * as z from 'zod'
import { text } from '../../../platform/text.ts'
import { hasExactlyOne, voterFields } from '../votes.schema.ts'

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
  .refine(hasExactlyOne('steamid', 'username'), { error: 'give either steamid or username', path: ['steamid'] })

type Style = Pick<z.output<typeof PluginQuery>, 'action' | 'object' | 'element'>

/** For a player who has claimed before, `claim` answers 2, and `claimUnclaimed` 0. */
export type PluginRequest = 'status' | 'claim' | 'claimUnclaimed'

/** What a request asks, by the styles of other lists. @returns undefined for none of them */
export function pluginRequestOf(method: string, { action, object, element }: Style): PluginRequest | undefined {
  if (action === 'status' || action === 'claim') return action
  const words = `${action ?? method} ${object} ${element}`
  if (words === 'custom plugin reward') return 'claim'
  if (words === 'post votes claim' || words === 'POST votes claim') return 'claimUnclaimed'
  return words === 'GET votes claim' || words === 'HEAD votes claim' ? 'status' : undefined
}
