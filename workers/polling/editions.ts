// Queries a Minecraft server that both editions can join: each at its own address.
import { listingFields } from '../../src/features/servers/index.ts'
import { isEvidence, type Outcome, type QueryTarget } from './outcome.ts'
import type { AskServer } from './query.ts'

export interface EditionsTarget extends QueryTarget {
  /** Empty: the server has one address, for players of `game`. */
  bedrockAddress?: string
  bedrockPort?: number | null
}

export type AskEditions = (target: EditionsTarget, signal?: AbortSignal) => Promise<Outcome>

/**
 * The outcome is that of the Java edition, or of the Bedrock edition if only that one answered: proxies report
 * the same people to both, so their numbers must not be added. While nothing is known about Java, nothing is
 * known about the server.
 */
export function askEditions(ask: AskServer): AskEditions {
  return async ({ bedrockAddress, bedrockPort, ...target }, signal) => {
    if (!bedrockAddress) return ask(target, signal)
    const [java, bedrock] = await Promise.all([
      ask(target, signal),
      ask(bedrockOf(target, bedrockAddress, bedrockPort), signal),
    ])
    if (!isEvidence(java)) return java
    if (java.answered) return { ...java, editions: { java: true, bedrock: answersOf(bedrock) } }
    // The country is that of the listing's address, whichever edition answers.
    if (bedrock.answered)
      return { ...bedrock, country: java.country, seenTokens: [], editions: { java: false, bedrock: true } }
    return isEvidence(bedrock) ? java : bedrock
  }
}

const answersOf = (outcome: Outcome): boolean | undefined => (isEvidence(outcome) ? outcome.answered : undefined)

/** Tokens of claims count at the address of the listing only. */
function bedrockOf(target: QueryTarget, ipAddress: string, port: number | null | undefined): QueryTarget {
  const { game, port: usual } = listingFields.BEDROCK
  const bedrockPort = port ?? usual
  return { ...target, game, ipAddress, gamePort: bedrockPort, gamePortGiven: true, queryPort: bedrockPort, tokens: [] }
}
