// Handles the jobs of push messages: their features write what is sent.
import type { Deps } from '../../src/deps.ts'
import { writeAlertPush } from '../../src/features/alerts/index.ts'
import type { PushMessage } from '../../src/features/push/index.ts'
import { writeReminderPush } from '../../src/features/reminders/index.ts'
import { createSecretCipher, type SecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { createPushSender, type SendPush } from './send-push.ts'

type HandlerDeps = Pick<Deps, 'pool' | 'settings' | 'log'>
type WriterDeps = HandlerDeps & { secretCipher: SecretCipher }

/** @param write returns undefined if there is nothing left to send */
const pushHandler =
  <Request>(write: (deps: WriterDeps, request: Request) => Promise<PushMessage | undefined>) =>
  (deps: HandlerDeps, send: SendPush = createPushSender(deps)) => {
    const secretCipher = createSecretCipher(deps.settings)
    return async (request: Request, signal: AbortSignal): Promise<void> => {
      const message = await write({ ...deps, secretCipher }, request)
      if (message) await send(message, signal)
    }
  }

/** Sends a reminder to vote. */
export const createReminderPushHandler = pushHandler((deps, { reminderId }: { reminderId: string }) =>
  writeReminderPush(deps, reminderId),
)

/** Sends an alert. */
export const createAlertPushHandler = pushHandler(writeAlertPush)
