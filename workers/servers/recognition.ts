// Finds out which game answers at an address: asks for the likely ones at once and takes the first, best guesses first.
import { setTimeout as sleep } from 'node:timers/promises'
import { gameOfAnswer, isQueriedAtGamePort } from '../../src/features/games/index.ts'
import type { ProbeOutput, ServerProbe } from '../../src/features/servers/index.ts'
import type { Answer, Outcome } from '../polling/outcome.ts'
import type { AskServer } from '../polling/query.ts'

/** How long better guesses may still answer: the better one of two servers on a machine may need another round trip. */
const BETTER_GUESSES_MS = 400

type Target = Pick<ServerProbe, 'game' | 'gamePort' | 'gamePortGiven' | 'queryPort'>
type Found = Extract<ProbeOutput, { outcome: 'answered' }>

/**
 * @param target with `others`
 * @returns the answer of a server that uses the typed port; else the outcome of the first guess
 */
export async function recognize(
  ask: AskServer,
  { ipAddress, others = [], typedPort, ...first }: ServerProbe,
): Promise<Found | Outcome> {
  const decided = new AbortController()
  const results: (Found | undefined)[] = []
  const asked = [first, ...others].map(async (target, rank) => {
    const outcome = await ask({ ...target, ipAddress, isOnline: false, isGuess: true }, decided.signal)
    const found = outcome.answered ? foundBy(target, typedPort, outcome) : undefined
    results[rank] = found
    return { found, outcome, rank }
  })
  const best = await Promise.any(asked.map(requireFound)).catch(() => undefined)
  if (!best) return missOf(await Promise.all(asked))
  await Promise.race([Promise.all(asked.slice(0, best.rank)), sleep(BETTER_GUESSES_MS, undefined, { ref: false })])
  decided.abort()
  return results.find((found) => found !== undefined) ?? best.found
}

async function requireFound<Guess extends { found: Found | undefined }>(guess: Promise<Guess>) {
  const { found, ...others } = await guess
  if (!found) throw new Error('no answer')
  return { ...others, found }
}

/** Why nothing answered: nothing was found out about an address only if no guess could be asked. */
function missOf(guesses: readonly { outcome: Outcome }[]): Outcome {
  const outcomes = guesses.map(({ outcome }) => outcome)
  const silent = outcomes.find((outcome) => !outcome.answered && outcome.reason === 'silent')
  const miss = silent ?? (outcomes[0] as Outcome)
  // What answered is another server of the machine, of which nothing is said.
  return miss.answered ? { answered: false, reason: 'silent', askedAt: 0 } : miss
}

/** @returns undefined for another server of the same machine: one that does not use the port that was typed */
function foundBy(target: Target, typedPort: number | undefined, answer: Answer): Found | undefined {
  const { identity = { words: [], gamePort: undefined }, profile, players, maxPlayers, map, version, queryMs } = answer
  const game = gameOfAnswer(target.game, identity)
  const isAsked = typedPort === undefined || target.queryPort === typedPort
  const reported = isQueriedAtGamePort(game) && isAsked ? undefined : identity.gamePort
  const gamePort = target.gamePortGiven === false ? null : (reported ?? target.gamePort ?? target.queryPort)
  if (!isAsked && gamePort !== typedPort) return undefined
  const found = { game, gamePort, queryPort: target.queryPort, hasPassword: answer.hasPassword }
  return { outcome: 'answered', name: profile.name, players, maxPlayers, map, version, queryMs, found }
}
