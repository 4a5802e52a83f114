// Starts the product as `npm start` does (launcher, API, worker, embedded PostgreSQL), for tests from outside.
import { expect, vi } from 'vitest'
import { openDatabase } from '../../commands/database.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { type AtEnd, type RunningLauncher, startLauncher } from '../commands/support/start-launcher.ts'
import { atFileEnd } from './at-file-end.ts'
import { type ApiDocument, type Contract, createContract } from './contract.ts'
import { type Client, createClient } from './product-client.ts'

/** For `expect.poll` and `vi.waitFor`: a worker's effects take a moment. */
export const WAIT_OPTIONS = { timeout: 30_000, interval: 100 }
/** Creating and migrating a database takes seconds, and a minute on a busy machine. */
const START_OPTIONS = { timeout: 120_000, interval: 100 }
export const PASSWORD = 'plough the 7 seas'

export interface Product {
  launcher: RunningLauncher
  url: string
  contract: Contract
}

/** Starts the product and waits until it runs. @param atEnd when to end it: after the file's tests unless given */
export async function startProduct(settings: Record<string, string> = {}, atEnd: AtEnd = atFileEnd): Promise<Product> {
  const launcher = await startLauncher({ LOG_LEVEL: 'warn', TRUST_PROXY: '1', ...settings }, { atEnd })
  await vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), START_OPTIONS)
  const document = await fetch(`${launcher.apiUrl}/api/openapi.json`)
  return { launcher, url: launcher.apiUrl, contract: createContract((await document.json()) as ApiDocument) }
}

/** Only for what no request can cause: elapsed time and faults. */
export async function openDatabaseOf({ launcher }: Product): Promise<Pool> {
  const pool = await openDatabase({
    DATABASE_URL: undefined,
    DATA_DIR: launcher.env.DATA_DIR ?? '',
    LISTING_REQUIRES_VERIFICATION: false,
  })
  atFileEnd(() => pool.end())
  return pool
}

let people = 0
export interface Person {
  id: string
  email: string
  username: string
  client: Client
}

/** Registers an account from its own client address. @param email a new address unless given */
export async function registerAt(at: Product, email?: string): Promise<Person> {
  const client = createClient(at)
  people++
  const person = { email: email ?? `person-${people}@example.com`, username: `Person ${people}` }
  const { status, body } = await client.post<{ user: { id: string } }>('/api/auth/register', {
    ...person,
    password: PASSWORD,
  })
  expect(status).toBe(201)
  return { ...person, id: body.user.id, client }
}
