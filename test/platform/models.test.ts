// Prisma's models and SQL share a transaction: the same connection, outcome and errors.
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { isUniqueViolation } from '../../src/platform/db/pg-errors.ts'
import { type Db, inTransaction } from '../../src/platform/db/pool.ts'
import { createTestDatabase } from '../support/database.ts'

const { pool } = await createTestDatabase()

const newMessage = (id = uuidv7()) => ({
  id,
  name: 'Someone',
  email: 'someone@example.com',
  subject: '',
  message: 'Hello',
  visitor: 'hash',
  isSuspect: false,
})
const create = ({ prisma }: Pick<Db, 'prisma'>, id?: string) => prisma.contactMessage.create({ data: newMessage(id) })
const backendOf = async ({ query }: Pick<Db, 'query'>) =>
  (await query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

it('models see what SQL wrote in the same transaction, and SQL sees what models wrote', async () => {
  await inTransaction(pool, async (tx) => {
    const { id } = await create(tx)
    expect((await tx.query('select from contact_messages where id = $1', [id])).rowCount).toBe(1)
    await tx.query(`update contact_messages set subject = 'By SQL' where id = $1`, [id])
    expect(await tx.prisma.contactMessage.findUnique({ where: { id } })).toMatchObject({ subject: 'By SQL' })
    expect(await pool.prisma.contactMessage.findUnique({ where: { id } })).toBeNull()
  })
})

it('models run on the transaction’s own connection', async () => {
  await inTransaction(pool, async (tx) => {
    const { id } = await create(tx)
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_locks where relation = 'contact_messages'::regclass and mode = 'RowExclusiveLock'`,
    )
    expect(rows.map(({ pid }) => pid)).toContain(await backendOf(tx))
    expect(id).toBeDefined()
  })
})

it('a rollback reverts what models wrote', async () => {
  const id = uuidv7()
  const failing = inTransaction(pool, async (tx) => {
    await create(tx, id)
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  expect(await pool.prisma.contactMessage.count({ where: { id } })).toBe(0)
})

it('a statement’s error arrives as pg threw it and ends the transaction', async () => {
  const { id } = await create(pool)
  const error = await inTransaction(pool, (tx) => create(tx, id)).catch((thrown: unknown) => thrown)
  expect(isUniqueViolation(error)).toBe(true)
  expect(error).toMatchObject({ code: '23505', table: 'contact_messages' })
})

it('parallel transactions use separate connections', async () => {
  const seen = await Promise.all(
    Array.from({ length: 20 }, () =>
      inTransaction(pool, async (tx) => {
        const { id } = await create(tx)
        const own = await tx.prisma.contactMessage.findMany({ where: { id } })
        const { rows } = await tx.query<{ id: string }>(
          'select id from contact_messages where xmin::text = pg_current_xact_id()::xid::text',
        )
        return { own: own.map((row) => row.id), written: rows.map((row) => row.id), id }
      }),
    ),
  )
  for (const { own, written, id } of seen) expect({ own, written }).toEqual({ own: [id], written: [id] })
})

it('a handle refuses statements and models once its transaction has ended', async () => {
  const tx = await inTransaction(pool, async (handle) => {
    await create(handle)
    return handle
  })
  expect(() => tx.query('select 1')).toThrow('the transaction has ended')
  await expect(create(tx)).rejects.toThrow()
})

it('a handle without model calls also refuses models after its transaction has ended', async () => {
  const tx = await inTransaction(pool, async (handle) => handle)
  const id = uuidv7()
  await expect(create(tx, id)).rejects.toThrow()
  expect(await pool.prisma.contactMessage.count({ where: { id } })).toBe(0)
})

it('a model call of several statements is refused outside a transaction', async () => {
  const nested = pool.prisma.user.create({
    data: { id: uuidv7(), username: 'Two', favorites: { create: { id: uuidv7(), serverId: uuidv7() } } },
  })
  await expect(nested).rejects.toThrow('a call of several statements needs inTransaction')
})

it('SQL and models read and write the same timestamps', async () => {
  const { id, createdAt } = await create(pool)
  const { rows } = await pool.query<{ createdAt: Date }>(
    'select created_at as "createdAt" from contact_messages where id = $1',
    [id],
  )
  expect(rows[0]?.createdAt).toEqual(createdAt)
})

it('a filter with an undefined field is refused instead of matching any row', async () => {
  await create(pool)
  const all = { where: { id: undefined as unknown as string } }
  await expect(pool.prisma.contactMessage.deleteMany(all)).rejects.toThrow(/undefined/)
  expect(await pool.prisma.contactMessage.count()).toBeGreaterThan(0)
})
