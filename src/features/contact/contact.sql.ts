// Statements over messages from the contact form.
import type { Db } from '../../platform/db/pool.ts'

export interface MessageRow {
  id: string
  name: string
  email: string
  subject: string
  message: string
  visitor: string
  isSuspect: boolean
  createdAt: Date
}

export async function insertMessage(db: Db, message: Omit<MessageRow, 'createdAt'>): Promise<void> {
  await db.query(
    `insert into contact_messages (id, name, email, subject, message, visitor, is_suspect)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [message.id, message.name, message.email, message.subject, message.message, message.visitor, message.isSuspect],
  )
}

const MESSAGE = `select id, name, email, subject, message, visitor, is_suspect as "isSuspect",
    created_at as "createdAt"
  from contact_messages`

/** Newest first. @param suspect undefined: all */
export async function findMessages(
  db: Db,
  suspect: boolean | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGE} where ($1::boolean is null or is_suspect = $1) order by id desc limit $2 offset $3`,
    [suspect, limit, offset],
  )
  return rows
}

export async function countMessages(db: Db, suspect: boolean | undefined): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) from contact_messages where ($1::boolean is null or is_suspect = $1)',
    [suspect],
  )
  return rows[0]?.count ?? 0
}

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const { rows } = await db.query<MessageRow>(`${MESSAGE} where id = $1`, [id])
  return rows[0]
}

/** @returns whether there was one */
export async function deleteMessage(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from contact_messages where id = $1', [id])
  return rowCount === 1
}

/** @returns how many */
export async function deleteOldMessages(db: Db, days: { kept: number; suspectKept: number }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from contact_messages
     where created_at < now() - make_interval(days => case when is_suspect then $2::int else $1::int end)`,
    [days.kept, days.suspectKept],
  )
  return rowCount ?? 0
}
