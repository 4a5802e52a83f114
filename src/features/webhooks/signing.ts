// Signatures by Standard Webhooks (https://www.standardwebhooks.com).
import { createHmac, createSecretKey } from 'node:crypto'

const PREFIX = 'whsec_'

export interface SignedMessage {
  /** The delivery's id: the same at each attempt. */
  id: string
  /** Time of this attempt, epoch milliseconds. */
  at: number
  /** The exact text that is sent. */
  body: string
}

/** @param secrets `whsec_…`; the headers have a signature by each, so that receivers need to know only one */
export function signatureHeaders(secrets: string[], { id, at, body }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => {
    // A key object: with any other kind of key a signature takes four times as long on Node 24.
    const key = createSecretKey(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
