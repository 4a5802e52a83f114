// Requests and replies that have Express' prototypes from their creation.
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../node-http.ts'

export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
}

/**
 * Express sets the prototype of each request and reply, which makes the object slow from then on. Objects of these
 * classes already have that prototype, so Express changes nothing (docs/decisions/0003).
 */
export function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  adopt(AppRequest.prototype, app.request)
  adopt(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse }
}

/** Copies what Express adds: `source` holds `app`; its prototype holds the methods; above that is Node's class. */
function adopt(target: object, source: object): void {
  for (const level of [Object.getPrototypeOf(source) as object, source])
    Object.defineProperties(target, Object.getOwnPropertyDescriptors(level))
}
