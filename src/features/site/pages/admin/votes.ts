// Where the votes of each server come from.
import type { AdminLocale } from '../../components/admin/frame.ts'
import { html } from '../../components/html.ts'
import { table } from '../../components/lists.ts'
import { listPage, targetLink, textFilter } from './list.ts'
import { voidingLink } from './voiding.ts'

export const voteSourcesPage = listPage({
  area: 'votes',
  query: ['minVotes'],
  data: ({ api }, query) => api.get('/admin/vote-networks', { query }),
  view(locale, { query, servers }) {
    const { admin: t } = locale.t
    return {
      intro: html`<p class="quiet">${t.votes.intro}</p><div class="row">${voidingLink(locale, t.voiding.title)}</div>`,
      filters: textFilter({ minVotes: '20', ...query }, 'minVotes', t.votes.minVotes, 'number'),
      items: table(
        t.frame.areas.votes,
        [t.frame.areas.servers, t.common.votes, t.common.networks, t.votes.topNetwork, t.votes.ownerVotes],
        servers.map(
          ({ id, name, votes, networks, topNetwork, topNetworkShare, ownerVotes }) => html`<tr key=${id}>
                <th scope="row">${targetLink(locale, 'servers', id, name)}</th>
                <td class="number">${locale.number(votes)}</td><td class="number">${locale.number(networks)}</td>
                <td class="number">${topNetworkLink(locale, id, topNetwork, topNetworkShare)}</td><td class="number">${locale.number(ownerVotes)}</td>
              </tr>`,
        ),
      ),
    }
  },
})

/** A link to the votes that one network sent for a server, where they can be voided. */
function topNetworkLink(locale: AdminLocale, serverId: string, network: string | null, share: number) {
  const percent = locale.percent(share)
  if (network === null) return percent
  return html`<a href=${locale.href('/admin/votes/void', { serverId, networks: network })}>${percent}</a>`
}
