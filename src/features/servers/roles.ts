// What each role may do on a server. All features decide by this table (decision 69).

/**
 * `read`: votes and numbers; `edit`: the listing, endpoints, rewards; `rcon`: commands; `own`: what
 * decides whose server it is.
 */
export const RIGHTS = ['read', 'edit', 'rcon', 'own'] as const
export type Right = (typeof RIGHTS)[number]

export const MEMBER_ROLES = ['manager', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** `admin`: an administrator who is neither the owner nor works for them. */
export const ROLES = ['owner', ...MEMBER_ROLES, 'admin'] as const
export type Role = (typeof ROLES)[number]

/** @param mayUseRcon whether the owner allows a manager RCON */
export function rightsOf(role: Role, mayUseRcon: boolean): Right[] {
  if (role === 'viewer') return ['read']
  if (role === 'manager') return mayUseRcon ? ['read', 'edit', 'rcon'] : ['read', 'edit']
  return [...RIGHTS]
}
