// Whether what the product talks to can be reached from here: the API under its public address, and far ends by TCP.
import { connect } from 'node:net'
import type { Settings } from '../../src/platform/config/settings.ts'
import { type Finding, failure, ok, warning } from './examination.ts'

const TIMEOUT_MS = 5_000

/** Asks the API under PUBLIC_BASE_URL whether it is ready, and repeats what it says. */
export async function examineApi({ PUBLIC_BASE_URL }: Pick<Settings, 'PUBLIC_BASE_URL'>): Promise<Finding> {
  const what = 'API'
  try {
    const reply = await fetch(`${PUBLIC_BASE_URL}/readyz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    if (reply.status === 404) return await examinePublicPort(PUBLIC_BASE_URL) // served on OPERATOR_PORT only
    const body = (await reply.json()) as {
      ready?: boolean
      checks?: { name: string; ready: boolean; reason: string }[]
    }
    if (reply.ok && body.ready) return ok(what, `ready at ${PUBLIC_BASE_URL}`)
    const reasons = body.checks?.filter(({ ready }) => !ready).map(({ name, reason }) => `${name}: ${reason}`) ?? []
    return failure(what, `not ready: ${reasons.join(', ') || `status ${reply.status}`}`, 'Its log says more.')
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error }
    const advice = 'Start it (`npm start`), or set PUBLIC_BASE_URL to the address people reach it at.'
    return failure(what, `no answer at ${PUBLIC_BASE_URL} (${cause?.message || message})`, advice)
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
