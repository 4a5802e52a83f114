// Requests and replies that are Express' own from their creation.
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
}

/**
 * Express gives each request and reply its own prototype, and an object whose prototype changes is slow from then on. Made
 * from these classes they have it already, and Express' change changes nothing (docs/decisions/0003).
 */
export function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  adopt(AppRequest.prototype, app.request)
  adopt(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse }
}

/** Copies what Express adds: `given` holds `app`, its prototype the methods, and above that is Node's own. */
function adopt(target: object, given: object): void {
  for (const source of [Object.getPrototypeOf(given) as object, given])
    Object.defineProperties(target, Object.getOwnPropertyDescriptors(source))
}
