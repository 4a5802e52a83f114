// What an answer says about which game runs at an address, and where players connect.
import type { QueryResult } from 'gamedig'
import type { GameHints } from '../../src/features/games/index.ts'
import { fieldsOf } from './fields.ts'
import { safeText } from './safe-values.ts'

export interface Identity extends GameHints {
  /** Where players connect, as the server reports it. */
  gamePort: number | undefined
}

export function identityOf(protocol: string, { raw, connect }: QueryResult): Identity {
  const { appId, game, folder, gamename, vanilla, bedrock } = fieldsOf(raw)
  const words = [game, folder, gamename].map(safeText).filter(Boolean)
  // gamedig asks for both editions at once.
  if (protocol === 'minecraft') words.push(vanilla || !bedrock ? 'Minecraft' : 'Minecraft Bedrock')
  const gamePort = protocol === 'valve' ? Number(/:(\d{1,5})$/.exec(safeText(connect))?.[1]) : 0
  return { appId: typeof appId === 'number' ? appId : undefined, words, gamePort: gamePort || undefined }
}
