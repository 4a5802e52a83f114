// Who may change what in a listing: moderators only whether it is hidden, and not against an administrator.
import type * as z from 'zod'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { ListingChange } from './admin.schema.ts'
import type { ListingModeration } from './listings.sql.ts'

type Change = z.output<typeof ListingChange>
type Staff = Pick<Actor, 'isAdmin'>

/**
 * @returns the listing after the change
 * @throws ApiError 403 for what only administrators may change
 */
export function moderate(before: ListingModeration, change: Change, actor: Staff): ListingModeration {
  if (!actor.isAdmin) requireModeratorsChange(before, change)
  return applyChange(before, change, actor)
}

function requireModeratorsChange(before: ListingModeration, { hidden, ...others }: Change): void {
  if (Object.values(others).some((value) => value !== undefined))
    throw new ApiError(403, 'forbidden', 'Moderators may only hide a server, and show it again.')
  if (hidden === false && before.hidden && !before.hiddenByModerator)
    throw new ApiError(
      403,
      'forbidden',
      'An administrator has hidden this server, so only administrators may show it again.',
    )
}

/**
 * A verification belongs to the owner: a new owner is unverified unless the administrator says otherwise. An
 * administrator who hides a hidden server takes the decision over; a moderator who does changes nothing.
 */
function applyChange(before: ListingModeration, change: Change, { isAdmin }: Staff): ListingModeration {
  const ownerId = change.ownerId === undefined ? before.ownerId : (change.ownerId?.toLowerCase() ?? null)
  const isVerified = before.isVerified && ownerId === before.ownerId
  const { hidden = before.hidden } = change
  const isDecidedNow = change.hidden === true && (isAdmin || !before.hidden)
  const hiddenByModerator = hidden && (isDecidedNow ? !isAdmin : before.hiddenByModerator)
  return { ...before, isVerified, ...withoutUndefined(change), ownerId, hiddenByModerator }
}
