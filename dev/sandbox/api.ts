// The provider's API as the product uses it: keys, idempotency, failures on demand, and the replies of its calls.
import type { IncomingMessage } from 'node:http'
import type { Actions } from './actions.ts'
import { ApiFailure, createCalls } from './api-call.ts'
import { checkoutCalls } from './checkout-calls.ts'
import type { Fields } from './form.ts'
import type { Ledger } from './ledger.ts'
import { paymentCalls } from './payment-calls.ts'
import type { Store } from './state.ts'

export interface ApiReply {
  status: number
  body: string
}

export type CallFilter = (method: string, path: string) => boolean

const SERVER_ERROR = { type: 'api_error', message: 'An unknown error occurred.' }
const REPLIES_KEPT_SECONDS = 24 * 3600

/** @param options.pageUrl the URL of one of the sandbox' own pages */
export function createApi(options: {
  store: Store
  ledger: Ledger
  actions: Actions
  secretKey: string
  pageUrl: (kind: 'pay' | 'portal', id: string) => string
}) {
  const { store, ledger, actions, secretKey, pageUrl } = options
  const { state, seconds } = ledger
  const answer = createCalls([...checkoutCalls(ledger, actions, pageUrl), ...paymentCalls(ledger, actions)])
  let failing: { matches: CallFilter; takesEffect: boolean } | undefined

  /**
   * Runs a call. Its reply is stored by its idempotency key, also a failure, unless only its parameters were checked.
   */
  function run(method: string, path: string, fields: Fields): { reply: ApiReply; isStored: boolean } {
    const isFailing = failing?.matches(method, path) ?? false
    try {
      if (isFailing && !failing?.takesEffect) throw new ApiFailure(500, SERVER_ERROR, true)
      const segments = path.split('/').slice(2).map(decodeURIComponent)
      const object = answer({ method, path: segments, fields })
      if (isFailing) throw new ApiFailure(500, SERVER_ERROR, true)
      return { reply: { status: 200, body: JSON.stringify(object) }, isStored: true }
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return { reply: toReply(error), isStored: error.hasRun }
    }
  }

  return {
    /** Answers one request. The same idempotency key gets the same reply and changes nothing again. */
    reply(req: IncomingMessage, path: string, fields: Fields): ApiReply {
      if (req.headers.authorization !== `Bearer ${secretKey}`)
        return toReply(new ApiFailure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }))
      const method = req.method ?? ''
      const key = method === 'POST' ? req.headers['idempotency-key'] : undefined
      const asked = JSON.stringify([path, fields])
      const before = typeof key === 'string' && Object.hasOwn(state.answers, key) ? state.answers[key] : undefined
      if (before && before.asked !== asked) return toReply(differentParameters())
      if (before) return before
      const { reply, isStored } = run(method, path, fields)
      if (typeof key === 'string' && isStored) state.answers[key] = { ...reply, asked, created: seconds() }
      if (method !== 'GET') store.save()
      return reply
    },

    /**
     * Answers the calls that match with 500 from now on. As at the provider, their idempotency keys keep that reply.
     * @param options.takesEffect whether the calls do their work all the same
     * @returns a function that ends this
     */
    failCalls(matches: CallFilter, { takesEffect } = { takesEffect: false }): () => void {
      const mine = { matches, takesEffect }
      failing = mine
      return () => {
        if (failing === mine) failing = undefined
      }
    },

    forgetOldReplies(): void {
      for (const [key, { created }] of Object.entries(state.answers))
        if (created < seconds() - REPLIES_KEPT_SECONDS) delete state.answers[key]
    },
  }
}

const differentParameters = () =>
  new ApiFailure(400, {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  })

const toReply = ({ status, error }: ApiFailure): ApiReply => ({ status, body: JSON.stringify({ error }) })
