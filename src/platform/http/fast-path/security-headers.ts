// Security headers, taken from helmet once at the start: running its dozen middlewares for each request costs more than the reply.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

/** Names and values in turn, as `writeHead` takes them. */
export type FlatHeaders = string[]

/** What helmet would set with these options. They must not depend on the request. */
function helmetHeaders(options: HelmetOptions): FlatHeaders {
  const headers: FlatHeaders = []
  const recorder = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => {},
  }
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}

/**
 * For replies that are data: what OWASP's REST Security Cheat Sheet asks for. The rest of helmet's headers only mean
 * something on a page, and each costs every reply bytes and time (docs/decisions/0003).
 * @param https whether the service is reached by https; browsers ignore HSTS otherwise
 */
export function dataHeaders(https: boolean): FlatHeaders {
  return helmetHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: https,
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
}

/** For pages: nothing from elsewhere, and nothing inline. */
export function pageHeaders(https: boolean): FlatHeaders {
  return helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https,
  })
}
