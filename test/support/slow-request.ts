// A request whose body arrives late, as over a bad network, or from a caller who waits on purpose.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for the server to authorize the caller, and longer than that counts. */
const HELD_MS = 1_200

/** Sends the head of a request, runs `meanwhile` a second later, and then sends the body. */
export async function sendBodyAfter(
  url: string,
  init: { method: string; headers: Record<string, string>; body: object },
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const text = JSON.stringify(init.body)
  const headers = { ...init.headers, 'content-type': 'application/json', 'content-length': String(text.length) }
  const sent = request(url, { method: init.method, headers })
  const answered = new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    sent.on('error', reject).on('response', async (response) => {
      const chunks = await response.toArray()
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
    })
  })
  sent.write(text.slice(0, 1))
  await sleep(HELD_MS)
  await meanwhile()
  sent.end(text.slice(1))
  return answered
}
