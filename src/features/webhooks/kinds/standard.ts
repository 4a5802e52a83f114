// Signed webhooks by Standard Webhooks: any receiver of the owner's.
import * as z from 'zod'
import { findUrlProblem, TargetUrl } from '../../../platform/target-url.ts'
import { Events } from '../event-types.ts'
import { signatureHeaders } from '../signing.ts'
import { defineKind, type OutgoingRequest } from './kind.ts'

export const STANDARD_FIELDS = {
  url: TargetUrl.describe('Where events are posted; in production https, and no private address'),
  events: Events,
}

export const standard = defineKind({
  fields: STANDARD_FIELDS,
  address: ['url'],
  secret: 'generated',
  shown: {
    url: z
      .string()
      .describe(
        'Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again',
      ),
  },
  refuse({ url }, rules) {
    const message = url === undefined ? undefined : findUrlProblem(url, rules)
    return message === undefined ? undefined : { path: 'body.url', message }
  },
  urlOf: ({ url }) => url,
  show(url, { showsWholeUrl }) {
    if (url === undefined) return { url: '' }
    return { url: showsWholeUrl ? url : `${new URL(url).origin}/…` }
  },
  gone: 'answered 410 Gone',
  prepare: ({ id, body }, { url, secrets }, { now: at }): OutgoingRequest => ({
    url,
    headers: signatureHeaders(secrets, { id, at, body }),
    body,
  }),
  send: (request, { post }, signal) => post({ ...request, signal }),
  /** 2xx is delivered, 410 disables the endpoint, everything else is a failure, including redirects. */
  classify({ status = 0, retryAfter }) {
    if (status >= 200 && status < 300) return { outcome: 'delivered' }
    if (status === 410) return { outcome: 'gone' }
    return { outcome: 'failed', ...(retryAfter === undefined ? {} : { retryAfter }) }
  },
})
