// The votes of a server, and its rewards.
import { ownerPath } from '../../components/owner/frame.ts'
import { type RewardsData, rewardsView } from '../../components/owner/rewards.ts'
import { type VotesData, votesView } from '../../components/owner/votes.ts'
import { given } from '../../form.ts'
import { idOf, ifListed, ownerPage, pageOf } from './page.ts'

const votesPage = ownerPage<VotesData>({
  path: '/my/servers/{id}/votes',
  query: ['cursor'],
  script: 'buttons.ts',
  async data({ api, params, query, once, origin }) {
    const path = idOf(params)
    const [{ keys }, { votes, nextCursor }, top] = await Promise.all([
      api.get('/servers/{id}/vote-key', path),
      api.get('/servers/{id}/votes', { ...path, query: { order: 'desc', ...given({ cursor: query.cursor }) } }),
      ifListed(api.get('/servers/{id}/votes/top', path)),
    ])
    const voteKey = once?.voteKey as string | undefined
    return { keys, voteKey, votes, nextCursor, voters: top?.voters, origin }
  },
  view: votesView,
  async post({ api, form, params, locale }) {
    if (form.action === 'make') {
      const { voteKey } = await api.post('/servers/{id}/vote-key', idOf(params))
      return { voteKey }
    }
    await api.delete('/servers/{id}/vote-key', idOf(params))
    return locale.href(ownerPath(params.id ?? '', 'votes'))
  },
})

const rewardsPage = ownerPage<RewardsData>({
  path: '/my/servers/{id}/rewards',
  query: ['page'],
  async data({ api, params, query }) {
    const path = idOf(params)
    const [settings, list, rcon] = await Promise.all([
      api.get('/servers/{id}/vote-rewards', path),
      api.get('/servers/{id}/vote-rewards/log', { ...path, query: pageOf(query) }),
      api.get('/servers/{id}/rcon', path),
    ])
    return { settings, ...list, hasRcon: rcon.isConfigured }
  },
  view: rewardsView,
  async post({ api, form, params, locale }) {
    const { id = '' } = params
    if (form.action === 'remove') await api.delete('/servers/{id}/vote-rewards', idOf(params))
    else {
      const commands = (form.commands ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
      const when = form.when as 'vote' | 'claim'
      await api.put('/servers/{id}/vote-rewards', { ...idOf(params), body: { when, commands } })
    }
    return locale.href(ownerPath(id, 'rewards'), { saved: form.action })
  },
})

export const VOTES_PAGES = [votesPage, rewardsPage]
