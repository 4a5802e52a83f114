// What is for the people who run the directory. A file of its own, because browsers load what uses it.

/** For moderators and administrators, or for administrators alone. */
export type StaffAccess = 'moderator' | 'admin'
