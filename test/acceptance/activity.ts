// Activity of this folder's product.
import { expect } from 'vitest'
import { createServer, newVisitor, register } from './product.ts'
import { onceNeeded } from './section.ts'

/** A server whose address a visitor has copied, which is written within a minute. */
export const theCopied = onceNeeded(async () => {
  const owner = await register()
  const { id } = (await createServer(owner)).server
  const visitor = newVisitor()
  // Programs are counted apart.
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0' }
  const body = { action: 'copy' }
  expect((await visitor.send('POST', `/api/servers/${id}/activity`, { body, headers })).status).toBe(200)
  expect(visitor.cookies.size).toBe(0)
  return { id, owner, visitor }
})
