// What moderators see of the site: their pages, and every other page of administrators is refused, from
// the list of all pages.
import { describe, expect, it } from 'vitest'
import { fileFindings, type Signal } from '../../../src/features/reports/index.ts'
import { PAGES } from '../../../src/features/site/pages.ts'
import { runVoteVoiding } from '../../../src/features/votes/index.ts'
import { addPerson } from '../../support/people.ts'
import { openAdminBench } from '../admin/support.ts'
import { addServer, voteOnce } from '../votes/support.ts'
import { formsOf } from './forms.ts'

const { api, pool, admin, call, list } = await openAdminBench()
const { get, post } = formsOf(api.url)
const moderator = await addPerson(pool, { isModerator: true })

const NUMBERS = { votes: 90, selected: 90, usualShare: null, busiestDay: 3 }

/** All that moderators see and users do not. A further page is added here on purpose. */
const MODERATION = ['/admin', '/admin/reports', '/admin/contact', '/admin/servers', '/admin/votes']
/** Reached from one of them. */
const WITHOUT_TAB = ['/admin/votes/void']
const pathOf = (path: string) => path.replace(/\{\w+\}/g, '01980000-0000-7000-8000-000000000000')
const staffPages = PAGES.filter(({ access }) => access === 'moderator' || access === 'admin')
const adminPages = staffPages.filter(({ access }) => access === 'admin').map(({ path }) => pathOf(path))

describe('a moderator', () => {
  it('has these pages, and no page below /admin is without a role', () => {
    const forModerators = staffPages.filter(({ access }) => access === 'moderator').map(({ path }) => path)
    expect([...forModerators].sort()).toEqual([...MODERATION, ...WITHOUT_TAB].sort())
    expect(PAGES.filter(({ path }) => path.startsWith('/admin')).length).toBe(staffPages.length)
    expect(adminPages.length).toBeGreaterThan(5)
  })

  it.each([...MODERATION, ...WITHOUT_TAB])(
    '%s is shown, with a menu of these pages only; users get 403',
    async (path) => {
      const { status, html } = await get(path, moderator)
      expect(status).toBe(200)
      const [menu = ''] = /<nav class="tabs"[\s\S]*?<\/nav>/.exec(html) ?? []
      const paths = [...menu.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
      expect(paths.sort()).toEqual([...MODERATION].sort())
      for (const forbidden of adminPages) expect(html).not.toContain(`href="${forbidden}`)
      expect((await get(path, await addPerson(pool))).status).toBe(403)
      expect((await get(`${path}?lang=de`, moderator)).html).toContain('<html lang="de">')
    },
  )

  it.each(adminPages)('%s is refused, to read and to send', async (path) => {
    const shown = await get(path, moderator)
    expect([shown.status, shown.html]).toEqual([403, expect.stringContaining('<h1>Not allowed</h1>')])
    expect(shown.html).not.toContain('class="stack admin"')
    const { post: hasForm } = PAGES.find((page) => pathOf(page.path) === path) ?? {}
    if (hasForm) expect((await post(path, { action: 'delete', id: admin.id }, moderator)).status).toBe(403)
  })

  it('sees open reports on the overview, and neither queues nor figures', async () => {
    expect((await get('/admin', moderator)).html).toContain('No report is open.')
    const id = await list(await addPerson(pool))
    await call(await addPerson(pool), 'POST', `/servers/${id}/reports`, { reason: 'spam' })
    const { html } = await get('/admin', moderator)
    expect(html).toContain('1 open report')
    expect(html).not.toMatch(/<h2>(Queues|Figures|Polling)/)
  })

  it('hides servers and shows them again; what else administrators do has no button', async () => {
    const id = await list(await addPerson(pool), { name: 'Moderated isle' })
    const path = `/admin/servers?search=${id}`
    const set = (hidden: boolean, who = moderator) =>
      post(path, { action: 'set', id, field: 'hidden', to: String(hidden) }, who)
    await set(true)
    const hidden = (await get(path, moderator)).html
    expect(hidden).toContain('hidden by a moderator')
    expect(hidden).toContain('>Restore</button>')
    const shown = hidden.replace(/<script.*?<\/script>/gs, '') // which holds all texts
    expect(shown).not.toMatch(/>Verify|>Feature<|Change the owner|Remove from the directory|Audit log|Keep hidden/)
    expect((await get(path, admin)).html).toContain('>Keep hidden')
    await set(true, admin)
    const kept = (await get(path, moderator)).html
    expect(kept).toContain('hidden by an administrator')
    expect(kept).not.toContain('>Restore</button>')
    expect((await set(false)).status).toBe(403)
  })

  it('selects votes, sees what would change, voids them with a reason, and restores them', async () => {
    const id = await addServer(pool, { name: 'Isle of votes' })
    for (const username of ['Bot 1', 'Bot 2', 'Zoe']) await voteOnce(api, id, { username })
    const path = `/admin/votes/void?serverId=${id}&name=bot*`
    const { html } = await get(path, moderator)
    expect(html).toMatch(/2 votes, for 1 servers?, from 2 visitors/)
    expect(html).toMatch(/Isle of votes[\s\S]*3 → 1/)
    const [, until = ''] = /name="until" value="([^"]+Z)"/.exec(html) ?? []
    const fields = { action: 'void', serverId: id, name: 'bot*', until }
    const refused = await post(path, { ...fields, reason: '' }, moderator)
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('id="reason-problem"')])
    expect((await post(path, { ...fields, reason: 'Sent by a script' }, moderator)).location).toContain('done=voiding')
    const [{ id: voidingId }] = (
      await pool.query('select id from vote_voidings where selection @> $1', [{ serverId: id }])
    ).rows
    await runVoteVoiding(api.deps, { voidingId })
    const listed = (await get('/admin/votes/void', moderator)).html
    expect(listed).toContain('Sent by a script')
    expect((await get(path, moderator)).html).toMatch(/0 votes, for 0 servers/)
    expect((await post('/admin/votes/void', { action: 'restore', id: voidingId }, moderator)).location).toContain(
      'restoring',
    )
    await runVoteVoiding(api.deps, { voidingId })
    expect((await get(path, moderator)).html).toMatch(/Isle of votes[\s\S]*3 → 1/)
  })

  it('follows the share of one network to its votes', async () => {
    const id = await addServer(pool, { name: 'Isle of one network' })
    for (let n = 0; n < 3; n++) await voteOnce(api, id)
    const { html } = await get('/admin/votes?minVotes=1', moderator)
    const [, path = ''] = new RegExp(`href="(/admin/votes/void[^"]*serverId=${id}[^"]*)">100%<`).exec(html) ?? []
    expect((await get(path.replaceAll('&amp;', '&'), moderator)).html).toMatch(
      /3 votes, for 1 servers?, from 3 visitors/,
    )
  })

  it('answers a finding of suspicious votes: looks at them, voids them, or says that it is fine', async () => {
    const id = await addServer(pool, { name: 'Isle of bursts' })
    await voteOnce(api, id)
    const file = (signal: Signal, selection: object = {}) =>
      fileFindings(pool, [{ signal, serverId: id, numbers: NUMBERS, selection: { serverId: id, ...selection } }])
    await file('burst')
    const { html } = await get('/admin/reports?reason=votes', moderator)
    expect(html).toContain('90 votes in 24 hours; the busiest of the 28 days before had 3.')
    expect(html).toContain(`href="/admin/votes/void?serverId=${id}">Look at the votes<`)
    const [, report = ''] = /name="id" value="([\w-]+)"/.exec(html) ?? []
    const refused = await post('/admin/reports', { action: 'void', id: report, reason: '' }, moderator)
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('id="reason-problem"')])
    const done = await post('/admin/reports', { action: 'void', id: report, reason: 'Bought votes' }, moderator)
    expect(done.location).toBe('/admin/reports?done=voiding')
    expect((await get('/admin/votes/void', moderator)).html).toContain('Bought votes')

    await file('fewNetworks', { networks: 'one,two,three' })
    const next = (await get('/admin/reports?reason=votes', moderator)).html
    expect(next).toContain('3 networks sent 90 of 90 votes in seven days.')
    const [, second = ''] = /name="id" value="([\w-]+)"/.exec(next) ?? []
    await post('/admin/reports', { action: 'decide', id: second, status: 'dismissed', note: 'A party' }, moderator)
    expect((await get('/admin/reports?status=dismissed', moderator)).html).toContain('A party')
  })

  it('is appointed and dismissed on the page of accounts', async () => {
    const person = await addPerson(pool)
    const path = `/admin/users?search=${person.id}`
    await post(path, { action: 'appoint', id: person.id }, admin)
    expect((await get(path, admin)).html).toContain('>Remove moderator rights</button>')
    expect((await get('/admin/reports', person)).status).toBe(200)
    await post(path, { action: 'dismiss', id: person.id }, admin)
    expect((await get('/admin/reports', person)).status).toBe(403)
  })
})
