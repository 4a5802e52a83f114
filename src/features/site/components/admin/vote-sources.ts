// Where the votes of each server come from.
import { html } from '../html.ts'
import { table } from '../lists.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, targetLink, textFilter } from './frame.ts'
import { type List, list } from './list.ts'

export interface VotesData extends List {
  servers: Schemas['ServerVoteNetworks'][]
}

export function votesView(locale: AdminLocale, data: VotesData) {
  const { admin: t } = locale.t
  return list(locale, 'votes', data, {
    intro: html`<p class="quiet">${t.votesIntro}</p>`,
    filters: textFilter({ minVotes: '20', ...data.query }, 'minVotes', t.minVotes, 'number'),
    items: table(
      t.areas.votes,
      [t.areas.servers, t.votes, t.networks, t.topNetwork, t.ownerVotes],
      data.servers.map(
        ({ id, name, votes, networks, topNetworkShare, ownerVotes }) => html`<tr key=${id}>
              <th scope="row">${targetLink(locale, 'servers', id, name)}</th>
              <td class="number">${locale.number(votes)}</td><td class="number">${locale.number(networks)}</td>
              <td class="number">${locale.percent(topNetworkShare)}</td><td class="number">${locale.number(ownerVotes)}</td>
            </tr>`,
      ),
    ),
  })
}
