// Scopes: what an API key may be used for. The keys of one account can have different ones.

const MEANINGS = {
  read: 'Read what only the account may read: its servers, favorites, notifications, claims and bids',
  votes: 'Vote for players, and read, check and redeem the votes of its servers; vote keys',
  'servers:write':
    'List, change, claim and remove servers, report wipes, place binding bids in auctions, set favorites and notifications, report listings',
  endpoints: 'Webhook endpoints with their secrets and deliveries',
  rcon: 'Run commands on its game servers, also as rewards for votes',
}

export type Scope = keyof typeof MEANINGS
export const SCOPES = Object.keys(MEANINGS) as [Scope, ...Scope[]]

/** A Markdown table. */
export const SCOPE_TABLE = `| Scope | Allows |\n|---|---|\n${SCOPES.map((scope) => `| \`${scope}\` | ${MEANINGS[scope]} |`).join('\n')}`
