// Roles that administrative operations require. In its own file, because browsers load it.

/** For moderators and administrators, or for administrators alone. */
export type StaffAccess = 'moderator' | 'admin'
