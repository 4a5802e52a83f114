// Which callers, and pages of which origins, may call an endpoint.
import type { Request, Response } from 'express'
import { type Actor, type Authenticator, requireStaff } from './actor.ts'
import { contextOf } from './context.ts'
import { ApiError, BEARER_CHALLENGE } from './errors.ts'
import { acceptsKeys, type OperationDescription } from './operation.ts'
import type { Scope } from './scopes.ts'

export type Authorizer = ReturnType<typeof createAuthorizer>

export const isSafeMethod = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

const unauthenticated = (message = 'Log in first.') => new ApiError(401, 'unauthenticated', message)
/** Other APIs read keys from here. */
const FOREIGN_KEY_HEADER = 'x-api-key'
const HOW_TO_SEND_A_KEY =
  'Send an API key as `Authorization: Bearer <API_KEY>.<SECRET>`: the header `X-API-Key` is not read.'
export const confirmationNeeded = () =>
  new ApiError(
    403,
    'confirmation_needed',
    'This can’t be undone: confirm your second factor first (`POST /user/second-factor/confirm`), then send the request again.',
  )
const forbidden = (message: string) => new ApiError(403, 'forbidden', message)
/** The error in the form that RFC 6750, section 3.1 defines for programs. */
const lacksScope = (scope: Scope) =>
  new ApiError(403, 'forbidden', `This API key lacks the scope \`${scope}\`.`, {
    headers: { 'WWW-Authenticate': `${BEARER_CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  })

type Authorized = Pick<OperationDescription, 'access' | 'crossOrigin' | 'path' | 'scope' | 'stepUp'>

/** @param ownOrigin the only origin whose pages may write, except to `crossOrigin` operations without a cookie */
export function createAuthorizer(authenticator: Authenticator, ownOrigin: string) {
  async function bySession(
    req: Request,
    { access, stepUp }: Pick<OperationDescription, 'access' | 'stepUp'>,
  ): Promise<Actor> {
    const { cookie } = req.headers
    const actor = cookie === undefined ? undefined : await authenticator.bySession(cookie, req)
    if (!actor) throw unauthenticated()
    if (access === 'admin' || access === 'moderator') requireStaff(actor, access)
    if (stepUp && !actor.isConfirmed) throw confirmationNeeded()
    return actor
  }

  /**
   * Returns the caller; without a promise if no look-up is needed.
   * @throws ApiError 401 unauthenticated, 403 forbidden
   */
  function authorize(req: Request, res: Response, operation: Authorized): Actor | undefined | Promise<Actor> {
    const { access = 'public', crossOrigin = false } = operation
    const { keyActor } = contextOf(res)
    if (keyActor) {
      if (!acceptsKeys(operation)) throw forbidden('An API key is not accepted here: send the request without one.')
      const { scope } = operation
      if (scope && !keyActor.scopes.includes(scope)) throw lacksScope(scope)
      return keyActor
    }
    const { cookie, [FOREIGN_KEY_HEADER]: foreignKey } = req.headers
    // Other values can be those of a gateway. Here the caller believes that its key counts.
    if (typeof foreignKey === 'string' && authenticator.looksLikeKey(foreignKey))
      throw unauthenticated(HOW_TO_SEND_A_KEY)
    // Also without a session: a foreign page could log a visitor in to its own account.
    if (!isSafeMethod(req.method) && (cookie !== undefined || !crossOrigin)) refuseForeignPages(req, ownOrigin)
    return access === 'public' ? undefined : bySession(req, operation)
  }

  return {
    authorize,
    /** The same for a request that has taken long: its session, key or rights may have ended since. */
    async authorizeAgain(req: Request, res: Response, operation: Authorized): Promise<Actor | undefined> {
      const context = contextOf(res)
      const { authorization } = req.headers
      if (context.keyActor && authorization !== undefined) context.keyActor = await authenticator.byKey(authorization)
      return authorize(req, res, operation)
    },
  }
}

/** A request with neither header does not come from a browser, so it carries no other person's cookie. */
export function refuseForeignPages(req: Request, ownOrigin: string): void {
  const { origin } = req.headers
  if (req.headers['sec-fetch-site'] === 'cross-site' || (origin !== undefined && origin !== ownOrigin))
    throw forbidden('A page of another origin may not do this.')
}
