// The list of games with their servers and players.
import { fold } from '../../platform/fold-text.ts'
import { operation } from '../../platform/http/operation.ts'
import { gameTypes, isNameOfType } from './game-types.ts'
import { Games, GamesQuery } from './games.schema.ts'

export interface GamesOptions {
  /** Listed servers and their players by type. Of the feature directory, which depends on this one. */
  totals(): Map<string, { servers: number; players: number }>
}

export function gamesOperations({ totals }: GamesOptions) {
  return [
    operation({
      method: 'get',
      path: '/games',
      operationId: 'listGames',
      tag: 'Directory',
      summary: 'List games with their servers and players',
      crossOrigin: true,
      query: GamesQuery,
      returns: Games,
      handle({ query: { search = '' } }) {
        const totalOf = totals()
        const term = fold(search)
        const games = gameTypes()
          .filter(({ id, name }) => id.includes(term) || fold(name).includes(term) || isNameOfType(search, id))
          .map(({ id, name, protocol, port, queryPort, queryPortOffset = 0 }) => ({
            id,
            name,
            protocol,
            gamePort: port ?? null,
            queryPort: queryPort ?? (port === undefined ? null : port + queryPortOffset),
            ...(totalOf.get(id) ?? { servers: 0, players: 0 }),
          }))
          .sort((a, b) => b.players - a.players || b.servers - a.servers || (a.name < b.name ? -1 : 1))
        return { games }
      },
    }),
  ]
}
