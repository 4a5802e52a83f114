// Reward plugins as they behave by their documentation and published configuration: how they build their requests from
// what an owner enters, and what they make of the answers. Written without a look at our handler.
import { expect } from 'vitest'

export interface PluginReply {
  code: number
  body: string
}

/** Performs a request of a game server. */
export type WebRequest = (url: string, method?: 'GET' | 'POST') => Promise<PluginReply>

/** `rewarded`: the plugin gives the player a reward now. `error`: it prints the reply to its log. */
export type Outcome = 'not voted' | 'rewarded' | 'already claimed' | { error: string }

/** .NET's `string.Format` and Lua's `string.format` with `%s`. */
const format = (text: string, ...values: string[]) => {
  let next = 0
  return text.replace(/\{(\d)\}|%s/g, (_all, at?: string) => values[at === undefined ? next++ : Number(at)] ?? '')
}

const errorOf = ({ code, body }: PluginReply) => ({ error: `${code}: ${body}` })

/**
 * EasyVoteExtended (uMod, Rust). Its configuration has an entry of three URLs for each list, and for each game server
 * `ID:KEY`. It asks the status and, at 1, claims. A reply is compared with `0`, `1` and `2`; all else goes to the log.
 */
export function easyVoteExtended(entry: { claim: string; status: string; usesName: boolean }, credentials: string) {
  const [id = '', key = ''] = credentials.split(':', 2)
  expect(credentials.split(':')).toHaveLength(2) // it gives up on others
  return async (web: WebRequest, player: { steamId: string; name: string }): Promise<Outcome> => {
    const identifier = encodeURIComponent(entry.usesName ? player.name : player.steamId)
    const ask = (url: string) => web(format(url, encodeURIComponent(key), identifier, encodeURIComponent(id)))
    const status = await ask(entry.status)
    if (status.code !== 200) return errorOf(status)
    if (status.body === '0') return 'not voted'
    if (status.body === '2') return 'already claimed'
    if (status.body !== '1') return errorOf(status)
    const claim = await ask(entry.claim)
    if (claim.code === 200 && claim.body === '1') return 'rewarded'
    return claim.code === 200 && claim.body === '2' ? 'already claimed' : errorOf(claim)
  }
}

/**
 * Plugins for minecraft-mp.com and its sister lists (PocketMine, Unturned, Space Engineers): status, then a claim that
 * only tells whether it was counted now. They write spaces of names as `+`.
 */
export const minecraftMp =
  (
    base: string,
    key: string,
    {
      by = 'username',
      claimWith = 'GET',
    }: { by?: 'username' | 'steamid'; claimWith?: 'GET' | 'POST' | 'POST alone' } = {},
  ) =>
  async (web: WebRequest, player: string): Promise<Outcome> => {
    const query = `object=votes&element=claim&key=${key}&${by}=${player.replaceAll(' ', '+')}`
    const status = await web(`${base}?${query}`)
    if (status.body === '0') return 'not voted'
    if (status.body === '2') return 'already claimed'
    if (status.body !== '1') return errorOf(status)
    const claim =
      claimWith === 'POST alone'
        ? await web(`${base}?${query}`, 'POST')
        : await web(`${base}?action=post&${query}`, claimWith)
    if (claim.body === '1') return 'rewarded'
    return claim.body === '0' ? 'already claimed' : errorOf(claim)
  }

/**
 * FiveM-vote-script: two format strings in its `server.lua`, a key in its `config.lua`; a Steam id in
 * decimal from `steam:<hex>`.
 */
export const fiveM =
  (endpoints: { status: string; claim: string }, key: string) =>
  async (web: WebRequest, identifier: `steam:${string}`): Promise<Outcome> => {
    const steamId = BigInt(`0x${identifier.slice('steam:'.length)}`).toString()
    const status = await web(format(endpoints.status, key, steamId, ''))
    if (status.code !== 200) return errorOf(status)
    if (status.body === '0') return 'not voted'
    if (status.body === '2') return 'already claimed'
    const claim = await web(format(endpoints.claim, key, steamId, ''))
    if (claim.code !== 200) return errorOf(claim)
    return claim.body === '1' ? 'rewarded' : claim.body === '2' ? 'already claimed' : 'not voted'
  }

/** The first EasyVote and VoteForMoney (Rust) claim without asking before. */
export const claimFirst =
  (url: string, key: string) =>
  async (web: WebRequest, steamId: string): Promise<Outcome> => {
    const claim = await web(format(url, key, steamId))
    if (claim.code !== 200) return errorOf(claim)
    return claim.body === '1' ? 'rewarded' : claim.body === '2' ? 'already claimed' : 'not voted'
  }
