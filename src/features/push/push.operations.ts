// The operation of push: the key for browsers' subscriptions.
import type { Deps } from '../../deps.ts'
import { createSecretCipher, SecretDecryptionError } from '../../platform/config/secret-cipher.ts'
import { unavailable } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { PushKey } from './push.schema.ts'
import { type PushKeys, readPushKeys } from './push-keys.store.ts'

const RETRY_AFTER_SECONDS = 60

export function pushOperations({ settings, log }: Pick<Deps, 'settings' | 'log'>) {
  const secretCipher = createSecretCipher(settings)
  let keys: PushKeys | undefined
  return [
    operation({
      tag: 'Votes',
      method: 'get',
      path: '/push/key',
      operationId: 'getPushKey',
      summary: 'Get the key for browsers’ push subscriptions',
      description: '`applicationServerKey` of `pushManager.subscribe`. It stays the same.',
      returns: PushKey,
      async handle({ db }) {
        try {
          keys ??= await readPushKeys(db, secretCipher)
        } catch (error) {
          if (!(error instanceof SecretDecryptionError)) throw error
          log.warn({ reason: error.message }, 'push messages can’t be sent')
          throw unavailable('Push messages can’t be sent at the moment.', RETRY_AFTER_SECONDS)
        }
        return { publicKey: keys.publicKey }
      },
    }),
  ]
}
