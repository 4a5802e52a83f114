// Security headers, computed by helmet once at the start: running its dozen middlewares per request costs more than the
// reply.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

/** Alternating names and values, as `writeHead` takes them. */
export type FlatHeaders = string[]

/** The headers helmet sets with these options. They must not depend on the request. */
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
 * Headers of replies that are data: those that OWASP's REST Security Cheat Sheet lists. The rest of helmet's headers
 * only matter on pages, and each costs every reply bytes and time (docs/decisions/0003).
 * @param https whether clients reach the service by https; browsers ignore HSTS otherwise
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

/** Headers of an image with one inline style, of this SHA-256 in base64: they allow that style, and nothing else. */
export const allowStyle = (headers: FlatHeaders, sha256: string): FlatHeaders =>
  headers.map((value, index) =>
    headers[index - 1] === 'Content-Security-Policy' ? `${value};style-src 'sha256-${sha256}'` : value,
  )

/**
 * Headers of pages: they allow nothing from other origins, and nothing inline.
 * @param site for the pages of the site, which have forms of their own origin and an import map
 */
export function pageHeaders(https: boolean, site?: { importMapHash: string }): FlatHeaders {
  return helmetHeaders({
    // helmet's `no-referrer` makes a browser post the site's forms with `Origin: null`.
    ...(site ? { referrerPolicy: { policy: 'same-origin' } } : {}),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...(site ? [`'sha256-${site.importMapHash}'`] : [])],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: [site ? "'self'" : "'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https,
  })
}
