// Roles that administrative operations require. In its own file, because browsers load it.

/** Whether moderators and administrators have access, or administrators alone. */
export type StaffAccess = 'moderator' | 'admin'
