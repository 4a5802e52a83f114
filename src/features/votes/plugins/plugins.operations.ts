// The operations that reward plugins of game servers call, in the styles of other lists.
import * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import { validationFailed } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { queueRewards } from '../../rewards/index.ts'
import { findVoter, redeemVotes } from '../voters.sql.ts'
import { type AdmissionOptions, createAdmission, REQUESTS_PER_MINUTE } from './admission.ts'
import { PluginQuery, pluginRequestOf } from './plugins.schema.ts'

const DESCRIPTION = `For plugins that ask a list whether a player has voted, such as EasyVoteExtended (Rust), those for minecraft-mp.com and its \
sister lists, and FiveM-vote-script. \`docs/VOTES.md\` has their configuration. A reply is one digit; an error is one line of text. Only \
votes of the last 24 hours count. A claim marks all of them, so it is one reward; of simultaneous claims one gets 1.

| request | asks | answers |
|---|---|---|
| \`action=status\`, or \`GET\` with \`object=votes&element=claim\` | has the player voted? | 0: no. 1: yes, not claimed. 2: yes, claimed |
| \`action=claim\`, or \`action=custom&object=plugin&element=reward\` | claim | 0: no vote. 1: claimed now. 2: claimed before |
| \`action=post&object=votes&element=claim\`, or \`POST\` without \`action\` | claim | 0: nothing to claim. 1: claimed now |

\`POST\` reads the same parameters, from the address. The vote key identifies the server: ${REQUESTS_PER_MINUTE} requests a minute for each key, \
which do not count against the address.`

const NOT_A_STYLE = {
  path: 'action',
  message: 'give action=status or action=claim, or the action, object and element of minecraft-mp.com',
}

/** The digits of replies; `DESCRIPTION` says what each means to each request. */
const NO = '0'
const YES = '1'
const CLAIMED_BEFORE = '2'

export function pluginsOperations(options: AdmissionOptions & Pick<Deps, 'jobs'>) {
  const { limitRequest, serverOf } = createAdmission(options)

  const answer = <M extends 'get' | 'post'>(method: M, operationId: string, summary: string) =>
    operation({
      tag: 'Votes',
      path: '/plugins/votes',
      method,
      operationId,
      summary,
      description: DESCRIPTION,
      limitRequest,
      query: PluginQuery,
      unknownInput: 'ignored',
      transaction: true,
      produces: 'text/plain',
      returns: z.enum([NO, YES, CLAIMED_BEFORE]),
      ownErrors: { invalid_vote_key: { status: 401, fields: z.object({}) } },
      async handle({ tx, req, query }) {
        const { steamid, username } = query
        const request = pluginRequestOf(req.method, query)
        if (!request) throw validationFailed([NOT_A_STYLE])
        const serverId = serverOf(req)
        const voter = steamid === undefined ? { username } : { gamePlatformId: steamid }
        const redeems = request !== 'status' && req.method !== 'HEAD'
        if (redeems) {
          const voteIds = await redeemVotes(tx, serverId, voter, { onlyLastDay: true })
          await queueRewards(tx, options.jobs, { serverId, voteIds, runOn: 'claim' })
          if (voteIds.length) return YES
        }
        if (request === 'claimUnclaimed') return NO
        const { hasUnredeemed } = await findVoter(tx, serverId, voter)
        if (hasUnredeemed === null) return NO
        if (!hasUnredeemed) return CLAIMED_BEFORE
        return redeems ? NO : YES // a vote that came after the redemption is left to the next request
      },
    })

  return [
    answer('get', 'askForVotes', 'Ask whether a player has voted, or claim it, as a reward plugin'),
    answer('post', 'claimVotesByPlugin', 'Claim a player’s votes as a reward plugin'),
  ]
}
