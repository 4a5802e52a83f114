// The stored profile and notification preferences.
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'
import type { PreferencesChange, ProfileChange } from './accounts.schema.ts'

/** Absent fields stay unchanged. */
export async function updateProfile({ prisma }: Db, id: string, change: z.output<typeof ProfileChange>): Promise<void> {
  await prisma.user.updateMany({ where: { id }, data: { ...withoutUndefined(change), updatedAt: new Date() } })
}

/** @returns the stored preferences: only those that the user has changed */
export async function findPreferences({ prisma }: Db, id: string): Promise<object> {
  const user = await prisma.user.findUnique({ where: { id }, select: { notificationPreferences: true } })
  return (user?.notificationPreferences ?? {}) as Prisma.JsonObject
}

/**
 * Absent preferences stay unchanged. SQL, so that parallel changes of different preferences are all kept.
 * @returns the result
 */
export async function mergePreferences(
  db: Db,
  id: string,
  { events = {}, ...channels }: z.output<typeof PreferencesChange>,
): Promise<object> {
  const { rows } = await db.query<{ preferences: object }>(
    `update users set updated_at = now(), notification_preferences = notification_preferences || $2::jsonb
       || jsonb_build_object('events', coalesce(notification_preferences -> 'events', '{}') || $3::jsonb)
     where id = $1
     returning notification_preferences as preferences`,
    [id, channels, events],
  )
  return rows[0]?.preferences ?? {}
}
