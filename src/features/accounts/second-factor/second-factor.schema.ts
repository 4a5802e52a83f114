// Requests and responses of the second factor.
import * as z from 'zod'
import { idParam } from '../../../platform/http/operation.ts'
import { Timestamp } from '../../../platform/http/timestamp.ts'
import { line, maxLength, text } from '../../../platform/text.ts'
import { enteredPassword } from '../account-fields.ts'

export const NO_SUCH_PASSKEY = 'You have no such passkey.'
export const MAX_PASSKEYS = 20
export const CONFIRMED_MINUTES = 10

/** An attestation of a security key with its certificates has about 4 kB. */
const MAX_BASE64 = 16_000
const base64url = () =>
  text()
    .check(maxLength(MAX_BASE64))
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')
const credentialId = () => base64url().describe('Of the passkey, base64url')
const transports = () =>
  z
    .array(text().check(maxLength(30)))
    .max(10, 'must have at most 10 entries')
    .describe('How it can be reached, such as `internal` or `usb`')

const FACTOR_METHODS = ['passkey', 'code', 'recoveryCode'] as const
export type Method = (typeof FACTOR_METHODS)[number]
const methods = z
  .array(z.enum(FACTOR_METHODS))
  .describe('What the account accepts: `recoveryCode` while there are unused ones')

/** Fields of the reply to a login whose password or identity was right. */
export const SecondStepFields = z.object({
  methods,
  expiresAt: Timestamp.describe('Until when the login can be completed'),
})
export const SecondStep = SecondStepFields.meta({ id: 'SecondStep' })

const credential = {
  id: credentialId(),
  rawId: credentialId(),
  type: z.literal('public-key', 'must be public-key'),
  authenticatorAttachment: text().check(maxLength(30)).nullable().optional().describe('Ignored'),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional().describe('Ignored'),
}

/** The assertion as a browser's `toJSON()` returns it. */
const PasskeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(),
      authenticatorData: base64url(),
      signature: base64url(),
      userHandle: base64url().nullable().optional().describe('Ignored: the login names the account'),
    }),
  })
  .meta({ id: 'PasskeyAssertion' })
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

const PasskeyAttestation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(),
      attestationObject: base64url(),
      transports: transports().optional(),
      authenticatorData: base64url().optional().describe('Ignored'),
      publicKey: base64url().nullable().optional().describe('Ignored'),
      publicKeyAlgorithm: z.int().optional().describe('Ignored'),
    }),
  })
  .meta({ id: 'PasskeyAttestation' })
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

const oneTimeCode = text()
  .check(maxLength(20))
  .regex(/^ *(\d *){6}$/, 'must have six digits')
  .transform((typed) => typed.replaceAll(' ', ''))
  .describe('The six digits that the app shows; each counts once')

export const SecondFactorAnswer = z
  .object({
    code: oneTimeCode.optional(),
    recoveryCode: text().check(maxLength(100)).optional().describe('One of the recovery codes; each works once'),
    passkey: PasskeyAssertion.optional().describe('What `navigator.credentials.get` returned for the options'),
  })
  .refine((answer) => Object.values(answer).filter((one) => one !== undefined).length === 1, {
    message: 'must have one of code, recoveryCode and passkey',
  })
export type SecondFactorAnswer = z.output<typeof SecondFactorAnswer>

const descriptor = z.object({ id: credentialId(), type: z.literal('public-key'), transports: transports() })

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('preferred'),
    allowCredentials: z.array(descriptor),
  })
  .meta({ id: 'PasskeyRequestOptions' })
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({
      id: z.string().describe('Names the account to the authenticator only; not its id'),
      name: z.string(),
      displayName: z.string(),
    }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int().describe('COSE algorithm') })),
    timeout: z.int(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.literal(false),
      userVerification: z.literal('preferred'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' })
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

export const PasskeyParams = z.object({ passkeyId: idParam('Id of the passkey', NO_SUCH_PASSKEY) })
const passkeyName = line(1, 50).describe('For its owner, such as the name of the device')
export const PasskeyChange = z.object({ name: passkeyName })
export const NewPasskey = z.object({ name: passkeyName, credential: PasskeyAttestation })

/** @param purpose what is begun */
const withPassword = (purpose: string) =>
  z.object({
    password: enteredPassword
      .optional()
      .describe(`To ${purpose}: needed if the account has a password and no second factor yet`),
    setupCode: text()
      .check(maxLength(100))
      .optional()
      .describe(
        'From `npm run accounts -- setup-code`: needed if the account’s rights need a second factor and it has none yet',
      ),
  })
export const BeginPasskey = withPassword('add the first passkey')
export const BeginCodes = withPassword('set one-time codes up')
export const ConfirmCodes = z.object({ code: oneTimeCode })

export const Passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    isDisabled: z
      .boolean()
      .describe('Its counter went backwards, so there may be a copy: it is not accepted any more; remove it'),
  })
  .meta({ id: 'Passkey' })

export const SecondFactor = z
  .object({
    isOn: z.boolean().describe('Whether logging in needs it'),
    isRequired: z.boolean().describe('Whether the account’s rights need one, or will once its address is confirmed'),
    passkeys: z.array(Passkey),
    hasCodes: z.boolean().describe('Whether one-time codes are set up'),
    recoveryCodesLeft: z.int(),
    confirmedUntil: Timestamp.nullable().describe(
      `Until when this session may do what can’t be undone; ${CONFIRMED_MINUTES} minutes after the second factor was confirmed`,
    ),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactor = z.output<typeof SecondFactor>

export const CodesSetup = z
  .object({
    secret: z.string().describe('Base32, to type into the app; returned once'),
    uri: z.string().describe('`otpauth:` address for a QR code'),
  })
  .meta({ id: 'OneTimeCodesSetup' })

const recoveryCodes = z.array(z.string())
export const RecoveryCodes = z
  .object({ recoveryCodes: recoveryCodes.describe('Returned once; earlier ones no longer work') })
  .meta({ id: 'RecoveryCodes' })
export const AddedFactor = z
  .object({
    recoveryCodes: recoveryCodes
      .nullable()
      .describe('With the first second factor: ten, returned once; null with further ones'),
  })
  .meta({ id: 'AddedSecondFactor' })

export const Confirmed = z.object({ confirmedUntil: Timestamp }).meta({ id: 'ConfirmedSecondFactor' })
