// Compares an answer with its request: forbidden answers, and differences between document and validation.
import { PASSWORD } from '../../architecture/authorization-world.ts'
import { TEST_SECRET } from '../../support/api.ts'
import { type Contract, errorOf } from '../../support/contract.ts'
import { LENIENCIES, MEANINGS, UNAVAILABLE } from './differences.ts'
import type { Answer, Sent } from './exchange.ts'
import type { FuzzWorld } from './meant.ts'
import { AT_ROOT } from './operations.ts'

/** The answer's faults as sentences; empty if there are none. */
export function faultsOf(contract: Contract, world: FuzzWorld, sent: Sent, answer: Answer): string[] {
  return [
    ...contractFaults(contract, sent, answer),
    ...statusFaults(sent, answer),
    ...callerFaults(sent, answer),
    ...leakFaults(world, sent, answer),
  ]
}

function contractFaults(contract: Contract, { method, target }: Sent, { status, headers, body }: Answer): string[] {
  try {
    contract.check({ method, target, status, headers, body })
    return []
  } catch (error) {
    return [(error as Error).message.split('\n')[0]?.replace(/^.* → /, 'not as described: ') ?? '']
  }
}

function statusFaults(sent: Sent, { status, body }: Answer): string[] {
  const { validity, refusals } = sent
  const { operation } = sent.plan
  const is2xx = status >= 200 && status < 300
  if (status >= 500) return UNAVAILABLE.some(allows(operation.name, status, body)) ? [] : [`${status}`]
  // An unauthorized caller learns nothing about the request; a limit comes first.
  if (status === 401 || status === 403 || status === 429) return []
  if (status === 431 && !refusals?.includes(431) && validity !== 'open') return ['431 for a head that is not too large']
  if (refusals) return refusals.includes(status) ? [] : [`${status} instead of ${refusals.join(' or ')}`]
  if (validity === 'invalid' && is2xx)
    return LENIENCIES.some(({ allows }) => allows(sent)) ? [] : ['accepted what the document does not give']
  if (validity === 'valid' && status === 400) return refusalFaults(sent, body)
  return []
}

/** The refusal of a valid request needs a listed reason. */
function refusalFaults(sent: Sent, body: string): string[] {
  const { error, message, details = detailsIn(message) } = errorOf(body)
  if (error === 'malformed_json') return [`refused what the document gives: ${message}`]
  if (error !== 'validation_failed') return [] // a code of the operation's own, or the answer would not be as described
  return details
    .filter(({ path, message }) => {
      const given = valueAt({ ...sent.query, body: sent.value }, path)
      return !MEANINGS.some(
        ({ operations, says, when }) =>
          operations.test(sent.plan.operation.name) &&
          says.test(`${path}: ${message}`) &&
          (!when || (typeof given === 'string' && when(given))),
      )
    })
    .map(({ path, message }) => `refused what the document gives: ${path.replace(/\.\d+/g, '.N')}: ${message}`)
}

/** Of an error in text, which has them in its message. */
const detailsIn = (text: string) =>
  text.split('; ').map((detail) => {
    const [path = '', message = ''] = detail.split(/: (.*)/s)
    return { path, message }
  })

/** @param path as in an error's details: `body.ids.0` */
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)

const allows = (operation: string, status: number, body: string) => (rule: { operations: RegExp; says: RegExp }) =>
  status === 503 && rule.operations.test(operation) && rule.says.test(errorOf(body).message)

/** Another credential identifies the caller. */
const READS_NO_KEY = / \/(billing\/webhook|plugins\/votes|announce|luanti\/announce)$/

function callerFaults({ plan: { operation, caller }, method }: Sent, { status }: Answer): string[] {
  if (status >= 400 || method !== operation.method) return []
  const { access, name, staff } = operation
  const isRefused =
    (caller === 'revoked' && !AT_ROOT.test(name) && !READS_NO_KEY.test(name)) ||
    (access !== 'public' && (caller === 'anonymous' || caller === 'forged')) ||
    ((access === 'session' || name.includes(' /auth/')) && caller === 'key') ||
    (staff.length > 0 && !staff.some((who) => who === caller))
  return isRefused ? [`${status} for ${caller}`] : []
}

/** Our own secrets in any form, and internal details. */
const NEVER: [what: string, is: RegExp][] = [
  ['a password’s hash', /\$argon2/],
  ['the database’s address', /postgres(ql)?:\/\//],
  ['a stack trace', /\bat [^\n"]*(file:\/\/|node:|\/)[^\n"]*:\d+:\d+/],
  ['a file of ours', /node_modules|\.ts:\d+/],
  ['SQL', /syntax error at|violates|duplicate key|invalid input (syntax|value)|column "|relation "/],
  [
    'a secret of the process',
    new RegExp(`${TEST_SECRET}|sk_test_of_the_tests|whsec_of_the_tests|a-secret-of-the-chat`),
  ],
]
const WEBHOOK_SECRET = /whsec_/
/** Matches occur once each; the document's example shows the format. */
const GIVES_WEBHOOK_SECRET =
  /^(PUT|POST) \/servers\/\{id\}\/(webhook|endpoints(\/\{endpointId\})?)(\/rotate-secret)?$|^GET \/openapi\.json$/

function leakFaults(world: FuzzWorld, { plan: { operation } }: Sent, { headers, body }: Answer): string[] {
  const text = `${body}\n${headers.get('location') ?? ''}`
  const secrets: [string, string][] = [
    ['a session’s token', world.people.user.cookie],
    ['a session’s token', world.people.owner.cookie],
    ['a session’s token', world.people.admin.cookie],
    ['a key’s secret', world.headers.key.authorization?.split('.')[1] ?? ''],
    ['a mailed token', world.tokens.reset],
    ['a vote key', world.voteKey],
    ['the RCON password', PASSWORD],
  ]
  return [
    ...NEVER.filter(([, is]) => is.test(text)).map(([what]) => `tells ${what}`),
    ...secrets.filter(([, secret]) => text.includes(secret.replace(/^session=/, ''))).map(([what]) => `tells ${what}`),
    ...(WEBHOOK_SECRET.test(text) && !GIVES_WEBHOOK_SECRET.test(operation.name) ? ['tells a webhook’s secret'] : []),
  ]
}
