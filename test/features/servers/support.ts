// Servers as owners send them, and requests on behalf of an owner.
import type { TestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'

/** The caller: a person with a session, a key's header, or undefined for neither. */
export type Caller = Person | { authorization: string } | undefined

export type Call = (
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

export function callerOf(api: TestApi): Call {
  return async (caller, method, path, body) => {
    const response = await api.request(`/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(caller && 'cookie' in caller ? { cookie: caller.cookie } : {}),
        ...(caller && 'authorization' in caller ? caller : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

let last = 0

/** A creation request with a new address. */
export function serverFields(fields: Record<string, unknown> = {}): Record<string, unknown> {
  last++
  return { name: `Server ${last}`, ipAddress: `10.9.${last >> 8}.${last & 255}`, gamePort: 7777, ...fields }
}
