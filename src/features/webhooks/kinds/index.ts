// The kinds of endpoints. A new one is a module and a line here.
import { discord } from './discord.ts'
import { discordStatus } from './discord-status.ts'
import type { EndpointKind } from './kind.ts'
import { standard } from './standard.ts'
import { votifier1 } from './votifier1.ts'
import { votifier2 } from './votifier2.ts'

const kinds = { standard, votifier2, votifier1, discord, 'discord-status': discordStatus } satisfies Record<
  string,
  EndpointKind
>

export type KindName = keyof typeof kinds
export const KIND_NAMES = Object.keys(kinds) as KindName[]

/** @param name as stored. @throws Error for a kind of another release */
export function kindOf(name: string): EndpointKind {
  const kind: EndpointKind | undefined = kinds[name as KindName]
  if (!kind) throw new Error(`unknown kind of endpoint: ${name}`)
  return kind
}
