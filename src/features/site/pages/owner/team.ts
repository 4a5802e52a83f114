// The page of a server's team.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { OFFERED, teamView } from '../../components/owner/team.ts'
import { atFields } from '../../form.ts'
import { ifAllowed, pageOf } from '../../page.ts'
import { ownerPage } from './page.ts'

export const teamPage = ownerPage({
  tab: 'team',
  query: ['page'],
  async data({ api, params, query }) {
    const [team, log, profile] = await Promise.all([
      api.get('/servers/{id}/members', { path: params }),
      ifAllowed(api.get('/servers/{id}/audit', { path: params, query: pageOf(query) })),
      api.get('/user/profile'),
    ])
    return { ...team, log, ownId: profile.id }
  },
  view: teamView,
  async post({ api, form, params, locale }) {
    const { id } = params
    const { action, userId = '', invitationId = '' } = form
    const member = { path: { id, userId } }
    if (action === 'invite') {
      const { username = '', offered = '' } = form
      const offer = OFFERED[offered as keyof typeof OFFERED]
      // A name may contain an @ too, but an e-mail address always does.
      const to = username.includes('@') ? { email: username } : { username }
      await api.post('/servers/{id}/members', { path: params, body: { ...to, ...offer } }).catch((error: unknown) => {
        throw atFields(error, { email: 'username' })
      })
    } else if (action === 'change') {
      const role = form.role as 'manager' | 'viewer' | undefined
      const mayUseRcon = form.mayUseRcon === undefined ? undefined : form.mayUseRcon === 'true'
      await api.patch('/servers/{id}/members/{userId}', { ...member, body: withoutUndefined({ role, mayUseRcon }) })
    } else if (action === 'withdraw')
      await api.delete('/servers/{id}/invitations/{invitationId}', { path: { id, invitationId } })
    else if (action === 'offer') await api.post('/servers/{id}/handover', { path: params, body: { userId } })
    else {
      await api.delete('/servers/{id}/members/{userId}', member)
      if (action === 'leave') return locale.href('/my/servers')
    }
    return locale.href(ownerPath(id, 'team'), { saved: action })
  },
})
