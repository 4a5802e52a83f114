// Waits for a worker to encode a picture that a form has uploaded.
import { setTimeout as sleep } from 'node:timers/promises'

/** A worker encodes a picture within a second. If none runs, the page says that the picture waits. */
const WAIT_MS = 3_000
const LOOK_EVERY_MS = 200

/** @param readState reads the picture's state */
export async function waitUntilEncoded(readState: () => Promise<string>): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS)
    if ((await readState()) !== 'pending') return
  }
}
