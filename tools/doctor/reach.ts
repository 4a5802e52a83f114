// Whether what the product talks to can be reached from here: the API under its public address, the mail server, and far ends by TCP.
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { Settings } from '../../src/platform/config/settings.ts'
import { verifySmtp } from '../../workers/mail/delivery.ts'
import { type Finding, failure, ok, warning } from './examination.ts'

const TIMEOUT_MS = 5_000

/** The API's address: as the environment sets it, else that of the `npm start` which runs on the data folder, else the default. */
export function findApiUrl(env: NodeJS.ProcessEnv, { PUBLIC_BASE_URL, DATA_DIR }: Settings): string {
  const file = path.resolve(DATA_DIR, 'api-url')
  if (env.PUBLIC_BASE_URL || env.PORT || !fs.existsSync(file)) return PUBLIC_BASE_URL
  return fs.readFileSync(file, 'utf8').trim()
}

/** Asks the API whether it is ready, and repeats what it says. */
export async function examineApi(url: string): Promise<Finding> {
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
    return failure(what, `not ready: ${reasons.join(', ') || `status ${reply.status}`}`, 'Its log says more.')
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error }
    const advice = 'Start it (`npm start`), or set PUBLIC_BASE_URL to the address people reach it at.'
    return failure(what, `no answer at ${url} (${cause?.message || message})`, advice)
  }
}

async function examinePublicPort(publicBaseUrl: string): Promise<Finding> {
  const { status } = await fetch(`${publicBaseUrl}/api/public/stats`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'manual',
  })
  if (status === 200) return ok('API', `answers at ${publicBaseUrl}`)
  return failure('API', `status ${status} at ${publicBaseUrl}`, 'Its log and its `/readyz` on OPERATOR_PORT say more.')
}

/** @param url SMTP_URL; only its host is told */
export async function examineMailServer(url: string): Promise<Finding> {
  const what = 'mail server'
  const { host } = new URL(url)
  try {
    await verifySmtp(url)
    return ok(what, `takes mails at ${host}`)
  } catch (error) {
    const advice =
      'Look at SMTP_URL and at the firewall between; a private CA’s certificate belongs in NODE_EXTRA_CA_CERTS.'
    return failure(what, `no mail can be sent by ${host}: ${(error as Error).message}`, advice)
  }
}

/** @param url address of a far end; only its host and port are told, since the rest may hold a password */
export async function examineFarEnd(what: string, url: string, defaultPort: number): Promise<Finding> {
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
  if (reason === undefined) return ok(what, `reached at ${at}`)
  return warning(what, `not reached at ${at}: ${reason}`, 'Look at its setting, and at the firewall between.')
}
