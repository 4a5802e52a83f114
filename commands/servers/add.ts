// `servers add`: lists one server.
import { FIELDS, toInput } from '../../src/features/listing-files/index.ts'
import { ApiError, type ErrorDetail } from '../../src/platform/http/errors.ts'
import { withPort } from '../../src/platform/public-address.ts'
import { CommandError, defineCommand } from '../command.ts'
import { withServers } from './context.ts'

const optionOf = (field: string) =>
  field === 'ipAddress' ? 'address' : field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const add = defineCommand({
  help: `npm run servers -- add --address <ip|name> [options]

Lists a server, which is then polled within seconds. --address is required, and --game-port for games without a usual port.

  --address <ip|name>          IPv4 address, IPv6 address or DNS name
  --game <type>                gamedig type id, for example ase, minecraft or protocol-valve; default: the setting DEFAULT_GAME
  --game-port <n>              port that players connect to; default: the one that usually belongs to --query-port. Without
                               both, the port of the address's SRV record if the game's client follows one, else the
                               game's usual port
  --query-port <n>             port that answers queries; default: the one that usually belongs to the game port
  --name <text>                3 to 100 characters; default: the address and, if known, the game port
  --name-from-server true      polls set the name to the one that the game server reports
  --description <text>         up to 2000 characters
  --region <text>              up to 50 characters
  --tags <a,b>                 up to 10 tags of up to 30 characters each
  --game-mode <mode>           PvP, PvE or PvPvE
  --rates <a:1,b:2.5>          multipliers, for example xp:2,harvest:3.5
  --mods <a,b>                 names of mods
  --website <url>              http or https
  --chat-url <url>             http or https
  --banner-url <url>           http or https
  --last-wipe-at <time>        ISO 8601, for example 2026-01-31T18:00:00Z
  --bedrock-address <ip|name>  where players of the Bedrock edition connect to a Minecraft server
  --bedrock-port <n>           the port for them; default: 19132
`,
  options: Object.fromEntries(FIELDS.map((field) => [optionOf(field), { type: 'string' as const }])),
  run: (_args, values) =>
    withServers(async ({ servers, settings }) => {
      const input = toInput(Object.fromEntries(FIELDS.map((field) => [field, values[optionOf(field)]])))
      const { ipAddress, queryPort, game = settings.DEFAULT_GAME } = input
      if (ipAddress === undefined) throw new CommandError('--address is missing', 2)
      const gamePort = input.gamePort ?? (await gamePortFor(game, queryPort))
      try {
        const { id, name } = await servers.add({
          ...input,
          name: input.name ?? (gamePort === undefined ? ipAddress : withPort(String(ipAddress), gamePort)),
          ipAddress,
          game,
          ...(gamePort !== undefined && { gamePort }),
        })
        console.log(`added ${id} ${name}`)
        return 0
      } catch (error) {
        throw error instanceof ApiError && error.code === 'validation_failed' ? asUsage(error) : error
      }
    }),
})

async function gamePortFor(game: string, queryPort: unknown): Promise<number | undefined> {
  if (queryPort === undefined) return undefined
  if (typeof queryPort !== 'number') throw new CommandError('--query-port must be a whole number', 2)
  const { usualGamePort } = await import('../../src/features/games/index.ts')
  return usualGamePort(game, queryPort)
}

/** Replaces the names of fields by those of options. */
function asUsage(error: ApiError): CommandError {
  const details = error.fields.details as ErrorDetail[]
  const message = details.map(({ path, message }) => `--${optionOf(path.split('.')[0] ?? '')} ${message}`).join('; ')
  return new CommandError(message, 2, error)
}
