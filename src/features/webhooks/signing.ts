// Signatures by Standard Webhooks (https://www.standardwebhooks.com): what receivers check with any of its libraries.
import { createHmac, createSecretKey } from 'node:crypto'

const PREFIX = 'whsec_'

export interface SignedMessage {
  /** The delivery's id: the same at each attempt. */
  id: string
  /** When this attempt is made, epoch milliseconds. */
  at: number
  /** The very text that is sent. */
  body: string
}

/** @param secrets `whsec_…`; each signs, so that a receiver that knows only one of them can check */
export function signatureHeaders(secrets: string[], { id, at, body }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => {
    // As a key object: Node 24 looks at any other kind so long that a signature takes four times as long.
    const key = createSecretKey(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
