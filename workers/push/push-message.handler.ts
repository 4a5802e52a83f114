// Handles the jobs of push messages: their features write what is sent.
import type { Deps } from '../../src/deps.ts'
import { writeAlertPush } from '../../src/features/alerts/index.ts'
import { writePushMessage } from '../../src/features/reminders/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { createPushSender, type SendPush } from './send-push.ts'

type HandlerDeps = Pick<Deps, 'pool' | 'settings' | 'log'>

/** Sends a reminder to vote. */
export function createPushMessageHandler(
  deps: HandlerDeps,
  send: SendPush = createPushSender(deps),
): (request: { reminderId: string }, signal: AbortSignal) => Promise<void> {
  const secretCipher = createSecretCipher(deps.settings)
  return async ({ reminderId }, signal) => {
    const message = await writePushMessage({ ...deps, secretCipher }, reminderId)
    if (message) await send(message, signal) // else the visitor has voted, or wants no more
  }
}

/** Sends an alert. */
export function createAlertPushHandler(
  deps: HandlerDeps,
  send: SendPush = createPushSender(deps),
): (request: Parameters<typeof writeAlertPush>[1], signal: AbortSignal) => Promise<void> {
  const secretCipher = createSecretCipher(deps.settings)
  return async (request, signal) => {
    const message = await writeAlertPush({ ...deps, secretCipher }, request)
    if (message) await send(message, signal) // else the alert has ended
  }
}
