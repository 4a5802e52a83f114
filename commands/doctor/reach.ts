// Checks connections from this machine: the API at its public address, the mail server, and other services by TCP.
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { Settings } from '../../src/platform/config/settings.ts'
import { reasonOf } from '../../src/platform/error-reason.ts'
import type { Source } from '../../workers/discovery/source.ts'
import { verifySmtp } from '../../workers/mail/delivery.ts'
import { type Finding, failure, ok, warning } from './examination.ts'

const TIMEOUT_MS = 5_000
/** Lists have megabytes. */
const SOURCE_TIMEOUT_MS = 20_000

/**
 * The API's address: from the environment, else that of the `npm start` that runs on the data folder, else the default.
 */
export function findApiUrl(env: NodeJS.ProcessEnv, { PUBLIC_BASE_URL, DATA_DIR }: Settings): string {
  const file = path.resolve(DATA_DIR, 'api-url')
  if (env.PUBLIC_BASE_URL || env.PORT || !fs.existsSync(file)) return PUBLIC_BASE_URL
  return fs.readFileSync(file, 'utf8').trim()
}

/** Requests the API's readiness and reports the result. */
export async function checkApi(url: string): Promise<Finding> {
  const what = 'API'
  try {
    const reply = await fetch(`${url}/readyz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    if (reply.status === 404) return await examinePublicPort(url) // served on OPERATOR_PORT only
    const body = (await reply.json()) as {
      ready?: boolean
      checks?: { name: string; ready: boolean; reason: string }[]
    }
    if (reply.ok && body.ready) return ok(what, `ready at ${url}`)
    const reasons = body.checks?.filter(({ ready }) => !ready).map(({ name, reason }) => `${name}: ${reason}`) ?? []
    return failure(what, `not ready: ${reasons.join(', ') || `status ${reply.status}`}`, 'See its log.')
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error }
    const advice = 'Start it (`npm start`), or set PUBLIC_BASE_URL to the address that people use.'
    return failure(what, `no answer at ${url} (${cause?.message || message})`, advice)
  }
}

async function examinePublicPort(publicBaseUrl: string): Promise<Finding> {
  const { status } = await fetch(`${publicBaseUrl}/api/public/stats`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'manual',
  })
  if (status === 200) return ok('API', `answers at ${publicBaseUrl}`)
  return failure('API', `status ${status} at ${publicBaseUrl}`, 'See its log and its `/readyz` on OPERATOR_PORT.')
}

/** @param url SMTP_URL; only its host is reported */
export async function checkMailServer(url: string): Promise<Finding> {
  const what = 'mail server'
  const { host } = new URL(url)
  try {
    await verifySmtp(url)
    return ok(what, `${host} accepts mails`)
  } catch (error) {
    const advice =
      'Look at SMTP_URL and at the firewall between; a private CA’s certificate belongs in NODE_EXTRA_CA_CERTS.'
    return failure(what, `${host} can’t send mails: ${(error as Error).message}`, advice)
  }
}

/** @param url address of the service; only its host and port are reported, since the rest may contain a password */
export async function checkConnection(what: string, url: string, defaultPort: number): Promise<Finding> {
  const { hostname, port } = new URL(url)
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort }
  const reason = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ ...address, timeout: TIMEOUT_MS })
    const end = (why?: string) => {
      socket.destroy()
      resolve(why)
    }
    socket.once('connect', () => end())
    socket.once('timeout', () => end('no answer'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
  const at = `${address.host}:${address.port}`
  if (reason === undefined) return ok(what, `reachable at ${at}`)
  return warning(what, `not reachable at ${at}: ${reason}`, 'Check its setting, and the firewall in between.')
}

/** Whether a source can be reached, and takes its key if it needs one: reads its first server. */
export async function checkSource({ name, found }: Pick<Source, 'name' | 'found'>): Promise<Finding> {
  const what = `source ${name}`
  const advice = 'Check its key, if it has one, and the firewall in between. No server is removed meanwhile.'
  try {
    for await (const _ of found(AbortSignal.timeout(SOURCE_TIMEOUT_MS))) return ok(what, 'has servers')
    return warning(what, 'has no servers', 'Its list is empty. No server is removed meanwhile.')
  } catch (error) {
    return warning(what, `can’t be read: ${reasonOf(error)}`, advice)
  }
}
