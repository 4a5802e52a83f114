// A software authenticator (WebAuthn): keys in memory, signed with node:crypto. A test may make it lie.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Key {
  id: Buffer
  privateKey: KeyObject
  publicKey: Uint8Array
  counter: number
}

/** What an answer says instead of what is true. */
interface Lies {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  counter?: number
}

const USER_PRESENT = 0x01
const ATTESTED = 0x40
const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3 }
const EC2 = 2
const ES256 = -7
const P256 = 1

export type Authenticator = ReturnType<typeof createAuthenticator>

/** @param origin of the page that asks it */
export function createAuthenticator(origin: string) {
  const keys: Key[] = []
  const rpIdOf = (lies: Lies) => lies.rpId ?? new URL(origin).hostname

  const clientDataOf = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )

  function authenticatorData(rpId: string, flags: number, counter: number, more = Buffer.of()): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, more])
  }

  return {
    keys,
    /** Answers `navigator.credentials.create`. */
    create({ challenge }: { challenge: string }, lies: Lies = {}) {
      const key = newKey()
      keys.push(key)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(key.id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, key.id, key.publicKey])
      const authData = authenticatorData(rpIdOf(lies), USER_PRESENT | ATTESTED, lies.counter ?? key.counter, attested)
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        id: key.id.toString('base64url'),
        rawId: key.id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientDataOf('webauthn.create', challenge, lies).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Answers `navigator.credentials.get` with the newest key, or the given one. */
    get({ challenge }: { challenge: string }, lies: Lies = {}, key = keys.at(-1)) {
      if (!key) throw new Error('the authenticator has no key')
      key.counter = lies.counter ?? key.counter + 1
      const data = authenticatorData(rpIdOf(lies), USER_PRESENT, key.counter)
      const clientData = clientDataOf('webauthn.get', challenge, lies)
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
      return {
        id: key.id.toString('base64url'),
        rawId: key.id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(key.privateKey).toString('base64url'),
        },
      }
    },
  }
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, unknown>([
    [COSE.kty, EC2],
    [COSE.alg, ES256],
    [COSE.crv, P256],
    [COSE.x, new Uint8Array(Buffer.from(x, 'base64url'))],
    [COSE.y, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return { id: randomBytes(32), privateKey, publicKey: isoCBOR.encode(cose as never), counter: 0 }
}
