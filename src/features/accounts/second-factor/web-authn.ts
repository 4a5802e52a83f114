// Passkeys by WebAuthn (https://www.w3.org/TR/webauthn-3): what a browser is asked for, and the check of what it
// answers. The library is loaded with the first passkey: most processes never need it.
import { createHmac, randomBytes } from 'node:crypto'
import type { ProcessSettings } from '../../../platform/config/settings.ts'
import { PRODUCT_NAME } from '../../../platform/product.ts'
import type { StoredPasskey } from './passkeys.sql.ts'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from './second-factor.schema.ts'

/** How long a person may take. The challenge expires a little later. */
const TIMEOUT_SECONDS = 300
export const CHALLENGE_SECONDS = TIMEOUT_SECONDS + 60
/** EdDSA, ES256 and RS256: what authenticators have (https://www.iana.org/assignments/cose). */
const ALGORITHMS = [-8, -7, -257]

export type WebAuthn = ReturnType<typeof createWebAuthn>

export function createWebAuthn({
  PUBLIC_BASE_URL,
  APP_SECRET,
}: Pick<ProcessSettings, 'PUBLIC_BASE_URL' | 'APP_SECRET'>) {
  const { origin, hostname: rpId } = new URL(PUBLIC_BASE_URL)
  const expected = { expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: false }
  /** Authenticators show and sync it, so it is not the account's id. */
  const handleOf = (userId: string) =>
    createHmac('sha256', APP_SECRET).update(`passkey user\n${userId}`).digest('base64url')
  const descriptorsOf = (passkeys: readonly StoredPasskey[]) =>
    passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      type: 'public-key' as const,
      transports,
    }))

  return {
    newChallenge: () => randomBytes(32).toString('base64url'),

    creationOptions(
      challenge: string,
      user: { id: string; name: string; displayName: string },
      existing: readonly StoredPasskey[],
    ): PasskeyCreationOptions {
      return {
        rp: { id: rpId, name: PRODUCT_NAME },
        user: { ...user, id: handleOf(user.id) },
        challenge,
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_SECONDS * 1000,
        excludeCredentials: descriptorsOf(existing),
        authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
        attestation: 'none',
      }
    },

    requestOptions(challenge: string, passkeys: readonly StoredPasskey[]): PasskeyRequestOptions {
      return {
        challenge,
        rpId,
        timeout: TIMEOUT_SECONDS * 1000,
        userVerification: 'preferred',
        allowCredentials: descriptorsOf(passkeys),
      }
    },

    /** @returns the new passkey; undefined if the answer is not valid for this origin and challenge */
    async readAttestation(challenge: string, { response, ...answer }: PasskeyAttestation) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const { clientDataJSON, attestationObject } = response
      try {
        const { registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          expectedChallenge: challenge,
          supportedAlgorithmIDs: ALGORITHMS,
          response: {
            id: answer.id,
            rawId: answer.rawId,
            type: answer.type,
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {},
          },
        })
        if (!registrationInfo) return undefined
        const { id, publicKey, counter } = registrationInfo.credential
        return {
          credentialId: Buffer.from(id, 'base64url'),
          publicKey: Buffer.from(publicKey),
          counter,
          transports: response.transports ?? [],
        }
      } catch {
        return undefined
      }
    },

    /**
     * @returns the counter that was signed, which the caller compares; undefined if the answer is not valid for this
     *   passkey, origin and challenge
     */
    async readAssertion(
      challenge: string,
      { credentialId, publicKey }: StoredPasskey,
      { response, ...answer }: PasskeyAssertion,
    ): Promise<number | undefined> {
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const { clientDataJSON, authenticatorData, signature } = response
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...expected,
          expectedChallenge: challenge,
          // A counter of 0 keeps the library from comparing counters: a comparison here would not hold
          // for parallel requests.
          credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter: 0 },
          response: {
            id: answer.id,
            rawId: answer.rawId,
            type: answer.type,
            response: { clientDataJSON, authenticatorData, signature },
            clientExtensionResults: {},
          },
        })
        return verified ? authenticationInfo.newCounter : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** The challenge that a browser has signed; undefined if there is none. */
export function challengeOf({
  response: { clientDataJSON },
}: PasskeyAssertion | PasskeyAttestation): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
