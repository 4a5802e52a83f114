// Queries a Minecraft server that both editions can join: each at its own address.
import { listingFields } from '../../src/features/servers/index.ts'
import type { AskServer, Outcome, QueryTarget } from './query.ts'

export interface EditionsTarget extends QueryTarget {
  /** Empty: the server has one address, for players of `game`. */
  bedrockAddress?: string
  bedrockPort?: number | null
}

export type AskEditions = (target: EditionsTarget, signal?: AbortSignal) => Promise<Outcome>

/**
 * The outcome is that of the Java edition, or of the Bedrock edition if only that one answered: proxies report the same
 * people to both, so their numbers must not be added.
 */
export function askEditions(ask: AskServer): AskEditions {
  return async ({ bedrockAddress, bedrockPort, ...target }, signal) => {
    if (!bedrockAddress) return ask(target, signal)
    const [java, bedrock] = await Promise.all([
      ask(target, signal),
      ask(bedrockOf(target, bedrockAddress, bedrockPort), signal),
    ])
    const answer = java.answered ? java : bedrock.answered ? { ...bedrock, seenTokens: [] } : undefined
    return answer ? { ...answer, editions: { java: java.answered, bedrock: bedrock.answered } } : java
  }
}

/** Tokens of claims count at the address of the listing only. */
function bedrockOf(target: QueryTarget, ipAddress: string, port: number | null | undefined): QueryTarget {
  const { game, port: usual } = listingFields.BEDROCK
  const bedrockPort = port ?? usual
  return { ...target, game, ipAddress, gamePort: bedrockPort, gamePortGiven: true, queryPort: bedrockPort, tokens: [] }
}
