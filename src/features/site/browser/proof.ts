// The proof of work of a vote, where the directory requires one (docs/decisions/0043).
import type { Schemas } from '../components/types.ts'
import { api } from './api.ts'

export type Challenge = Required<Pick<Schemas['VoteChallenge'], 'parameters' | 'signature'>>

/**
 * Solves a challenge in a worker, so that the page stays responsive.
 * @throws Error over http, where browsers have no `crypto.subtle`
 */
export async function proveVote(serverId: string): Promise<string> {
  if (!isSecureContext) throw new Error('Voting needs https here.')
  const { parameters, signature } = await api.get('/servers/{id}/vote/challenge', { path: { id: serverId } })
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
  try {
    const solution = await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data))
      worker.addEventListener('error', ({ message }) => reject(new Error(message)))
      worker.postMessage(parameters)
    })
    return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }))
  } finally {
    worker.terminate()
  }
}
