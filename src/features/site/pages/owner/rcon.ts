// The console of a server.
import { ownerPath } from '../../components/owner/frame.ts'
import { type RconData, rconView } from '../../components/owner/rcon.ts'
import { numberOf } from '../../form.ts'
import { orBusy } from '../../page.ts'
import { ownerPage } from './page.ts'

export const rconPage = ownerPage({
  tab: 'rcon',
  script: 'rcon.ts',
  async data({ api, params, once }) {
    const transcript = (once?.transcript ?? []) as RconData['transcript']
    return { rcon: await api.get('/servers/{id}/rcon', { path: params }), transcript }
  },
  view: rconView,
  async post({ api, form, params, locale }) {
    const { action, command = '', password = '' } = form
    if (action === 'send') {
      const answer = await orBusy(api.post('/servers/{id}/rcon', { path: params, body: { command } }))
      const said = answer === 'busy' ? { problem: locale.t.owner.rcon.busy } : answer
      return { transcript: [{ command, ...said }] }
    }
    if (action === 'remove') await api.delete('/servers/{id}/rcon', { path: params })
    else
      await api.put('/servers/{id}/rcon', {
        path: params,
        body: { port: numberOf(form.port) ?? Number.NaN, password },
      })
    return locale.href(ownerPath(params.id, 'rcon'), { saved: action })
  },
})
