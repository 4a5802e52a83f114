// A team by forms, without scripts: an owner, a manager and a viewer, from the invitation to the hand-over.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { callerOf, serverFields } from '../servers/support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)

async function person(username: string) {
  const added = await addPerson(pool)
  await pool.query('update users set username = $2 where id = $1', [added.id, username])
  const headers = { origin: 'http://localhost:0', cookie: added.cookie }
  const page = async (path: string, init: RequestInit = {}, language = 'en') => {
    const reply = await fetch(api.url + path, {
      ...init,
      headers: { ...headers, 'accept-language': language },
      redirect: 'manual',
    })
    return { status: reply.status, location: reply.headers.get('location') ?? '', html: await reply.text() }
  }
  const post = (path: string, form: Record<string, string>, language?: string) =>
    page(path, { method: 'POST', body: new URLSearchParams(form) }, language)
  return { ...added, page, post }
}

/** The id in the form of an invitation. */
const idIn = (html: string) => /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
const tabsOf = (html: string) =>
  [...(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '').matchAll(/>([^<>]+)<\/a>/g)].map(([, name]) => name)

it('an owner invites two others, who accept; the owner hands the server over and goes', async () => {
  const [ada, ben, cleo] = await Promise.all([person('Ada of the isle'), person('Ben of the isle'), person('Cleo')])
  const { body } = await call(ada, 'POST', '/servers', serverFields({ name: 'Bear Island' }))
  const { id } = body.server as { id: string }
  await pool.query('update servers set is_verified = true where id = $1', [id])
  const team = `/my/servers/${id}/team`

  const unknown = await ada.post(team, { action: 'invite', username: 'No such name', offered: 'viewer' }, 'de')
  expect(unknown.html).toContain('ist kein Name eines Kontos')
  const sent = await ada.post(team, { action: 'invite', username: 'Ben of the isle', offered: 'manager' })
  expect([sent.status, sent.location]).toEqual([303, `${team}?saved=invite`])
  await ada.post(team, { action: 'invite', username: `${cleo.id}@example.com`, offered: 'viewer' })
  const { html } = await ada.page(team)
  expect(html).toContain(`${cleo.id}@example.com`)

  const waiting = (await ben.page('/my/servers', {}, 'de')).html
  expect(waiting).toContain('Einladungen')
  expect(waiting).toContain('Von Ada of the isle')
  const accepted = await ben.post('/my/servers', { action: 'accept', id: idIn(waiting) })
  expect([accepted.status, accepted.location]).toEqual([303, `/my/servers/${id}`])
  await cleo.post('/my/servers', { action: 'accept', id: idIn((await cleo.page('/my/servers')).html) })

  const servers = (await ben.page('/my/servers')).html
  expect(servers).toMatch(/Servers of others[\s\S]*Bear Island[\s\S]*Manager/)
  expect(servers).toContain('Add a server')
  expect(servers).not.toContain('no server listed yet')
  expect(tabsOf((await ben.page(`/my/servers/${id}`)).html)).toEqual([
    ...['Overview', 'Listing', 'Endpoints', 'Votes', 'Rewards', 'Wipes', 'Team'],
  ])
  const edit = await ben.page(`/my/servers/${id}/edit`)
  expect(edit.html).toMatch(/name="ipAddress"[^>]*readonly/)
  expect(edit.html).not.toContain('Remove server')
  await ada.post(`/my/servers/${id}/wipes`, { action: 'add', kind: 'map', wipedAt: '' })
  expect((await ben.page(`/my/servers/${id}/wipes`)).html).toContain('added by hand')
  for (const path of ['rewards', 'endpoints', 'wipes', 'votes'])
    expect((await ben.page(`/my/servers/${id}/${path}`)).status).toBe(200)
  expect(tabsOf((await cleo.page(`/my/servers/${id}`)).html)).toEqual(['Overview', 'Votes', 'Team'])
  const votes = await cleo.page(`/my/servers/${id}/votes`)
  expect([votes.status, votes.html.includes('Reward plugins')]).toEqual([200, false])
  expect((await cleo.page(`/my/servers/${id}/edit`)).status).toBe(403)

  await ada.post(team, { action: 'change', userId: ben.id, mayUseRcon: 'true' })
  expect(tabsOf((await ben.page(`/my/servers/${id}`)).html)).toContain('Console')
  await ada.post(team, { action: 'offer', userId: ben.id })
  const offer = (await ben.page('/my/servers')).html
  expect(offer).toContain('This server is offered to you.')
  await ben.post('/my/servers', { action: 'accept', id: idIn(offer), keepTeam: 'true' })
  expect((await ben.page(team)).html).toMatch(
    /Ben of the isle[\s\S]*Owner[\s\S]*Cleo[\s\S]*Viewer[\s\S]*Ada of the isle[\s\S]*Manager/,
  )

  const log = (await ben.page(team)).html
  expect(log).toMatch(/What was done[\s\S]*Server handed over[\s\S]*Role changed[\s\S]*Joined the team[\s\S]*Invited/)
  expect(log).toMatch(/Invited<\/b> · <bdi>Ben of the isle<\/bdi> · Manager[\s\S]*?<bdi>Ada of the isle<\/bdi>/)
  const seenByManager = (await ada.page(team)).html
  expect(seenByManager).toContain('Joined the team</b>')
  expect(seenByManager).not.toContain('Invited</b>')
  const seenByViewer = await cleo.page(team)
  expect([seenByViewer.status, seenByViewer.html.includes('What was done')]).toEqual([200, false])

  const left = await ada.post(team, { action: 'leave', userId: ada.id })
  expect(left.location).toBe('/my/servers')
  expect((await ada.page(team)).status).toBe(403)
  await ben.post(team, { action: 'remove', userId: cleo.id })
  expect((await cleo.page(`/my/servers/${id}`)).status).toBe(403)
})
