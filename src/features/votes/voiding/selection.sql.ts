// SQL, because the same conditions select votes in the preview, in the job that voids them and in findings.
import { HOSTING_PROVIDERS } from '../origins/hosting-providers.ts'
import type { VoteSelection } from './voiding.schema.ts'

/**
 * When the visitor of a vote had voted first, for any server. A visitor of the last hours may not be known yet. Null:
 * unknown, because visitors are forgotten 400 days after their last vote; those who come back begin again.
 */
const FIRST_VOTE = `coalesce(
  (select first_voted_at from vote_visitors
   where vote_visitors.visitor_key = visitor_key(votes.visitor_id) and first_voted_at <= voted_at + interval '2 days'),
  case when voted_at > now() - interval '2 days' then voted_at end)`

/** Whether the visitor of a vote has voted once only, for any server, and was not forgotten since. */
export const HAS_VOTED_ONCE = `exists (
  select from vote_visitors
  where vote_visitors.visitor_key = visitor_key(votes.visitor_id)
    and first_voted_at = last_voted_at and first_voted_at <= voted_at)`

/**
 * Condition on `votes`, with the parameters of `selectionValues`. Indexes serve the conditions on the
 * server and the time.
 */
export const IS_SELECTED = `
  voiding_id is null
  and ($serverId::uuid is null or votes.server_id = $serverId)
  and voted_at >= $from::timestamptz and voted_at < $until::timestamptz
  and ($networks::text[] is null or network_key = any($networks))
  and ($networkOwners::bigint[] is null or network_owner = any($networkOwners))
  and ($fromPage::boolean is null or from_page = $fromPage)
  and (not $seenOnce::boolean or ${HAS_VOTED_ONCE})
  and ($name::text is null or lower(username) like lower($name) or lower(game_platform_id) like lower($name))
  and ($maxVisitorAge::integer is null or ${FIRST_VOTE} >= voted_at - make_interval(hours => $maxVisitorAge))`

const HOSTING = [...HOSTING_PROVIDERS.keys()]

/** @param until votes before this time */
export function selectionValues(selection: VoteSelection, until: Date) {
  const { serverId, networks, networkOwner, hosting, from, name, maxVisitorAge, seenOnce, fromPage } = selection
  return {
    serverId: serverId ?? null,
    // PostgreSQL has no earlier time that it shares with JavaScript.
    from: from === undefined ? '-infinity' : new Date(from),
    until,
    networks: networks?.split(',') ?? null,
    networkOwners: ownersOf(networkOwner, hosting),
    seenOnce: seenOnce ?? false,
    fromPage: fromPage ?? null,
    name: name === undefined ? null : likePattern(name),
    maxVisitorAge: maxVisitorAge ?? null,
  }
}

function ownersOf(networkOwner: number | undefined, hosting: boolean | undefined): number[] | null {
  if (!hosting) return networkOwner === undefined ? null : [networkOwner]
  return HOSTING.filter((owner) => networkOwner === undefined || owner === networkOwner)
}

/** The LIKE pattern for a pattern in which `*` means any characters. */
const likePattern = (name: string) => name.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
