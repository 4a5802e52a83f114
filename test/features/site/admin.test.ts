// The administrators' pages: what they show, their forms, and that no other account sees them.
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { roundOf } from '../../../src/features/auctions/rounds.service.ts'
import { mail } from '../../../src/features/mail/index.ts'
import { poll } from '../../../src/features/polling/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { openAdminBench } from '../admin/support.ts'
import { bidOnce } from '../auctions/support.ts'
import { formsOf } from './forms.ts'

const { api, pool, admin, call, list, entries } = await openAdminBench()
const { jobs } = api.deps
const { get, post } = formsOf(api.url)
const PATHS = [
  '/admin',
  '/admin/queues/mail',
  '/admin/reports',
  '/admin/contact',
  '/admin/servers',
  '/admin/users',
  '/admin/auctions',
  '/admin/slots',
  '/admin/votes',
  '/admin/audit',
  '/admin/appearance',
  '/admin/servers/import',
]
const SECRET_NAME = 'Known to administrators only'
let ownerId = ''

async function failMail(reason: string): Promise<string> {
  await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: uuidv7() }])
  const [job] = await jobs.boss.fetch<object>('mail', { batchSize: 1 })
  await pool.query('update pgboss.job set retry_limit = 0 where id = $1', [job?.id])
  await jobs.boss.fail('mail', job?.id ?? '', { message: reason })
  return job?.id ?? ''
}

beforeAll(async () => {
  const owner = await addPerson(pool)
  ownerId = owner.id
  await pool.query('update users set username = $2 where id = $1', [owner.id, SECRET_NAME])
})

it('an empty list says that nothing is there, and a filtered one that nothing matches', async () => {
  for (const path of ['/admin/reports', '/admin/contact', '/admin/slots', '/admin/votes']) {
    const { html } = await get(path, admin)
    expect([path, /<p class="empty">([^<]*)</.exec(html)?.[1]]).toEqual([path, 'Nothing here yet.'])
  }
  const { html } = await get('/admin/servers?search=nosuchserver', admin)
  expect(html).toContain('<p class="empty">Nothing matches.</p>')
})

it('the overview begins with figures, and healthy queues are one line', async () => {
  const { html } = await get('/admin', admin)
  expect(html.indexOf('<h2>Figures</h2>')).toBeLessThan(html.indexOf('<h2>What needs attention</h2>'))
  expect(html).toMatch(/<details><summary>\d+ queues are healthy<\/summary>/)
})

describe('access', () => {
  it.each(PATHS)('%s is shown to administrators only', async (path) => {
    expect((await get(path, admin)).status).toBe(200)
    const other = await addPerson(pool)
    const refused = await get(path, other)
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining('<h1>Not allowed</h1>')])
    expect(refused.html).toContain('This is not allowed here, or not with your account.')
    expect(refused.html).not.toMatch(/class="stack admin"|verdict|Known to/)
    const stranger = await get(path)
    expect([stranger.status, stranger.location]).toEqual([303, `/login?${new URLSearchParams({ next: path })}`])
  })

  it('a form of another account changes nothing', async () => {
    const other = await addPerson(pool)
    const form = { action: 'ban', id: admin.id }
    expect((await post('/admin/users', form, other)).status).toBe(403)
    expect((await post('/admin/users', form)).status).toBe(401)
    expect((await post('/admin/users', form, admin, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await call(admin, 'GET', '/auth/session')).status).toBe(200)
  })

  it.each(['constructor', 'nothing'])('a form with the action %s is refused', async (action) => {
    expect((await post('/admin/users', { action, id: ownerId }, admin)).status).toBe(400)
  })

  it.each(PATHS)('%s says nothing about an action that does not exist', async (path) => {
    const noticesOf = (html: string) => html.match(/notice is-good/g)?.length
    const plain = await get(path, admin)
    for (const done of ['constructor', 'toString', '__proto__', 'nothing']) {
      const { status, html } = await get(`${path}?done=${done}`, admin)
      expect([done, status, noticesOf(html)]).toEqual([done, 200, noticesOf(plain.html)])
    }
  })

  it.each(PATHS)('%s is in German, too', async (path) => {
    const { html } = await get(`${path}?lang=de`, admin)
    expect(html).toContain('<html lang="de">')
    expect(html).not.toMatch(/undefined|\[object|NaN|Invalid Date/)
  })
})

describe('the overview', () => {
  it('lists what is stuck, failing and overdue first, with advice', async () => {
    await pool.query(
      `update pgboss.queue set created_on = now() - interval '61 seconds', monitor_on = null, monitor_claim_on = null`,
    )
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await failMail('550 no such mailbox')
    const id = await list(await addPerson(pool))
    await pool.query(`update server_polls set next_poll_at = now() - interval '5 minutes' where server_id = $1`, [id])
    await pool.query(`update pgboss.queue set created_on = now() - interval '2 minutes'`)
    const { html } = await get('/admin', admin)
    const attention = html.slice(html.indexOf('What needs attention'), html.indexOf('<h2>Queues'))
    expect(attention).toContain('No worker is running')
    expect(attention).toMatch(/<b>poll<\/b><span class="tag is-bad">stuck/)
    expect(attention).toMatch(/<b>mail<\/b><span class="tag is-bad">failing/)
    expect(attention).toContain('550 no such mailbox')
    expect(attention).toContain('<code>npm run start:worker</code>')
    expect(attention).toContain('overdue for its poll, the oldest by 5 min')
    expect(attention).toContain('href="/admin/queues/mail"')
    const table = html.slice(html.indexOf('<h2>Queues'))
    const rows = [...table.matchAll(/class="tag is-\w+">(stuck|late|failing|ok)</g)].map(([, verdict]) => verdict)
    const order = ['stuck', 'late', 'failing', 'ok']
    expect(rows).toEqual([...rows].sort((a, b) => order.indexOf(a ?? '') - order.indexOf(b ?? '')))
    await jobs.boss.deleteAllJobs('poll')
  })

  it('is shown while this process’ directory is stale, without its statistics', async () => {
    expect((await get('/admin', admin)).html).toContain('<h2>Players by game')
    let now = Date.now()
    const stale = await startTestApi({ database: api.database, clock: () => now })
    await stale.directory.stop()
    now += 60_000
    const { status, html } = await formsOf(stale.url).get('/admin', admin)
    expect(status).toBe(200)
    expect(html).toContain('is-bad">This API process no longer follows the database')
    expect(html).not.toContain('<h2>Players by game')
  })
})

describe('the jobs of a queue', () => {
  it('are shown by state, with payload', async () => {
    await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: uuidv7() }], { startAfter: 3600 })
    const { html } = await get('/admin/queues/mail?state=deferred', admin)
    expect(html).toContain('password-changed')
    expect(html).toContain('0 attempts')
    expect((await get('/admin/queues/mail?state=active', admin)).html).toContain(
      'No job of this queue is in this state.',
    )
    expect((await get('/admin/queues/mail?state=lost', admin)).status).toBe(400)
    await jobs.boss.deleteAllJobs('mail')
  })
})

describe('failed jobs', () => {
  it('are shown with reason and payload, and are moved back one by one or all', async () => {
    const id = await failMail('<b>mailbox</b> full')
    const { html } = await get('/admin/queues/mail', admin)
    expect(html).toContain('&lt;b>mailbox&lt;/b> full')
    expect(html).toContain('password-changed')
    const [, dead = ''] = /name="action" value="redrive"\s*\/?><input[^>]*name="id" value="([^"]+)"/.exec(html) ?? []
    expect(dead).not.toBe(id) // a dead letter is a new job
    const moved = await post('/admin/queues/mail', { action: 'redrive', id: dead }, admin)
    expect(moved.location).toBe('/admin/queues/mail?done=redriven&n=1')
    expect((await get(moved.location ?? '', admin)).html).toContain('1 job moved back into its queue.')
    await post('/admin/queues/mail', { action: 'redrive' }, admin)
    expect((await get('/admin/queues/mail', admin)).html).toContain('No job of this queue has failed permanently.')
    expect(await entries('mail')).toMatchObject([{ action: 'queue.redrive' }, { action: 'queue.redrive' }])
    expect((await get('/admin/queues/unknown', admin)).status).toBe(404)
  })
})

describe('reports', () => {
  it('are decided with a note and opened again; open ones are listed first', async () => {
    const reporter = await addPerson(pool)
    const id = await list(await addPerson(pool), { name: 'Reported <i>isle</i>' })
    const { body } = await call(reporter, 'POST', `/servers/${id}/reports`, {
      reason: 'spam',
      details: 'Again and again',
    })
    const report = (body as { id: string }).id
    const open = (await get('/admin/reports', admin)).html
    expect(open).toContain('Reported &lt;i>isle&lt;/i>')
    expect(open).toContain('Again and again')
    const note = 'x'.repeat(1_001)
    const refused = await post('/admin/reports', { action: 'decide', id: report, status: 'resolved', note }, admin)
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringContaining(`aria-invalid="true" maxlength="1000">${note}</`),
    ])
    const decided = await post(
      '/admin/reports',
      { action: 'decide', id: report, status: 'resolved', note: 'Warned' },
      admin,
    )
    expect(decided.location).toBe('/admin/reports?done=saved')
    expect((await get('/admin/reports', admin)).html).not.toContain('Again and again')
    expect((await get('/admin/reports?status=resolved', admin)).html).toContain('Warned')
    await post('/admin/reports?status=resolved', { action: 'decide', id: report, status: 'open', note: '' }, admin)
    expect((await get('/admin/reports', admin)).html).toContain('Again and again')
    await post('/admin/reports', { action: 'delete', id: report }, admin)
    expect((await get('/admin/reports?status=all', admin)).html).toContain('Nothing matches.')
  })
})

it('messages are shown escaped, filtered, and deleted', async () => {
  const form = { name: 'Eve', email: 'eve@example.com', subject: 'Hi', message: '</p><script>alert(1)</script>' }
  await call(undefined, 'POST', '/contact', form)
  await call(undefined, 'POST', '/contact', { ...form, subject: 'Buy this', website: 'x' })
  const { html } = await get('/admin/contact?suspect=false', admin)
  expect(html).toContain('&lt;/p>&lt;script>alert(1)')
  expect(html).not.toContain('Buy this')
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(html) ?? []
  expect((await post('/admin/contact?suspect=false', { action: 'delete', id }, admin)).location).toBe(
    '/admin/contact?suspect=false&done=deleted',
  )
  expect((await get('/admin/contact?suspect=false', admin)).html).toContain('Nothing matches.')
})

describe('servers', () => {
  it('are found, hidden, restored, verified, featured, given to another owner and removed', async () => {
    const owner = await addPerson(pool)
    const id = await list(owner, { name: 'Moderated' })
    const path = `/admin/servers?search=${id}`
    const set = (field: string, to: string) => post(path, { action: 'set', id, field, to }, admin)
    expect((await set('hidden', 'true')).location).toBe(`${path}&done=saved`)
    expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(404)
    expect((await get(path, admin)).html).toContain('>Restore</button>')
    await set('hidden', 'false')
    await set('isVerified', 'true')
    await set('isFeatured', 'true')
    expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ isVerified: true, isFeatured: true })
    await post(path, { action: 'owner', id, ownerId }, admin)
    expect((await get(path, admin)).html).toContain(SECRET_NAME)
    const refused = await post(path, { action: 'owner', id, ownerId: 'unknown' }, admin)
    expect(refused.status).toBe(400)
    expect(refused.html).toMatch(/<details open><summary>Change the owner/)
    expect(refused.html).toMatch(/<input[^>]*name="ownerId"[^>]*aria-invalid="true"[^>]*value="unknown"/)
    expect(refused.html).toContain('must be the id of an account')
    const unknown = await post(`${path}&lang=de`, { action: 'owner', id, ownerId: crypto.randomUUID() }, admin)
    expect(unknown.html).toContain('muss die Kennung eines Kontos sein')
    await post(path, { action: 'owner', id, ownerId: '' }, admin)
    expect((await get(path, admin)).html).toContain('no owner')
    await post(path, { action: 'delete', id }, admin)
    expect((await get(path, admin)).html).toContain('Nothing matches.')
  })
})

it('the table of servers, which has many columns, gets the width of the window', async () => {
  const bodyOf = async (path: string) => /<body[^>]*>/.exec((await get(path, admin)).html)?.[0]
  expect([await bodyOf('/admin/servers'), await bodyOf('/admin/users')]).toEqual(['<body class="is-wide">', '<body>'])
})

it('the name of a server leads to its page only while it is listed', async () => {
  const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
  const id = await list(await addPerson(pool), { name: 'Not proven yet' })
  const heading = async () => {
    const { html } = await formsOf(strict.url).get(`/admin/servers?search=${id}`, admin)
    return /<h2[^>]*>(.*?)<\/h2>.*?<\/div>/s.exec(html) ?? []
  }
  const [unproven, name] = await heading()
  expect([name, unproven]).toEqual(['Not proven yet', expect.stringContaining('>not listed<')])
  await pool.query('update servers set is_verified = true where id = $1', [id])
  const [proven, link] = await heading()
  expect(link).toBe(`<a href="/servers/not-proven-yet-${id.slice(-12)}">Not proven yet</a>`)
  expect(proven).not.toContain('not listed')
  await pool.query('update servers set hidden_at = now() where id = $1', [id])
  expect((await heading())[1]).toBe('Not proven yet')
})

it('selected servers are hidden and shown again together, each with an audit entry', async () => {
  const owner = await addPerson(pool)
  const ids = [await list(owner, { name: 'First' }), await list(owner, { name: 'Second' })]
  const statuses = () => Promise.all(ids.map(async (id) => (await call(undefined, 'GET', `/servers/${id}`)).status))
  const choose = (to: string, selected = ids.join()) =>
    post('/admin/servers', { action: 'bulk', to, selected, reason: 'Not a game server' }, admin)
  expect((await choose('true')).location).toBe('/admin/servers?done=hidden&n=2')
  expect(await statuses()).toEqual([404, 404])
  expect((await get('/admin/servers?done=hidden&n=2', admin)).html).toContain('2 servers are hidden.')
  for (const id of ids) expect((await get(`/admin/audit?targetId=${id}`, admin)).html).toContain('Not a game server')
  await choose('false')
  expect(await statuses()).toEqual([200, 200])
  const none = await choose('true', '')
  expect([none.status, none.html]).toEqual([400, expect.stringContaining('value="Not a game server"')])
})

it('a file is checked, its refused lines are shown, and then it is imported', async () => {
  const csv =
    'name,ipAddress,gamePort,game\r\nBy Form,10.66.0.1,7001,ase\r\nX,10.66.0.2,7001,ase\r\n<b>Bad</b>,no address,1,ase\r\n'
  const send = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const headers = { cookie: admin.cookie, origin: 'http://localhost:0', 'accept-language': 'en' }
    const reply = await fetch(`${api.url}/admin/servers/import`, { method: 'POST', body, headers })
    return { status: reply.status, html: await reply.text() }
  }
  const checked = await send({ action: 'check', file: new Blob([csv]) })
  expect([checked.status, checked.html]).toEqual([200, expect.stringContaining('1 server can be listed.')])
  expect(checked.html).toContain('2 lines are refused')
  expect(checked.html).toMatch(/<th scope="row">3<\/th><td><span lang="en">name: must have at least 3 characters/)
  expect((await get('/admin/servers?search=By+Form', admin)).html).toContain('Nothing matches.')
  const [, kept = ''] = /<textarea name="csv" hidden>([^<]*)<\/textarea>/.exec(checked.html) ?? []
  const sent = kept.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const done = await send({ action: 'import', csv: sent })
  expect(done.html).toContain('1 server is listed.')
  expect((await get('/admin/servers?search=By+Form', admin)).html).toContain('>By Form</a>')
  const unreadable = await send({ action: 'check', file: new Blob(['nothing of use']) })
  expect([unreadable.status, unreadable.html]).toEqual([400, expect.stringContaining('needs a first line')])
  expect((await send({ action: 'check' })).status).toBe(400)
})

describe('accounts', () => {
  it('are banned, let in again, promoted, demoted, moved to a tier and deleted', async () => {
    const person = await addPerson(pool)
    const path = `/admin/users?search=${person.id}`
    const act = (action: string, more: Record<string, string> = {}) =>
      post(path, { action, id: person.id, ...more }, admin)
    await act('ban')
    expect((await get(path, admin)).html).toContain('banned since')
    expect((await get('/admin', person)).status).toBe(303)
    await act('unban')
    await act('tier', { tier: 'premium' })
    await act('promote')
    const { html } = await get(path, admin)
    expect(html).toContain('<span class="tag">premium</span>')
    expect(html).toContain('>Remove administrator rights</button>')
    await act('demote')
    expect((await entries(person.id)).length).toBe(5)
    await act('delete')
    expect((await get(path, admin)).html).toContain('Nothing matches.')
    const own = await post('/admin/users', { action: 'ban', id: admin.id }, admin)
    expect([own.status, own.html]).toEqual([400, expect.stringContaining('You can’t ban yourself.')])
  })
})

describe('ad slots and auctions', () => {
  it('a slot is created, changed, switched off and deleted', async () => {
    const slot = { location: 'side', tier: 'standard', name: 'At the side', width: '300', height: '600' }
    const refused = await post('/admin/slots', { action: 'create', ...slot, width: '0' }, admin)
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('width')])
    expect(refused.html).toContain('value="At the side"')
    await post('/admin/slots', { action: 'create', ...slot }, admin)
    const { html } = await get('/admin/slots', admin)
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(html) ?? []
    await post('/admin/slots', { action: 'update', id, name: 'Right', width: '320', height: '600' }, admin)
    await post('/admin/slots', { action: 'deactivate', id }, admin)
    const changed = (await get('/admin/slots', admin)).html
    expect(changed).toContain('Right')
    expect(changed).toContain('320 × 600')
    expect(changed).toContain('>Activate</button>')
    await post('/admin/slots', { action: 'delete', id }, admin)
    expect((await get('/admin/slots', admin)).html).not.toContain('Right')
  })

  it('an auction is created, changed, and canceled', async () => {
    const { id: slotId } = await addSlot(pool)
    const endsAt = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    const terms = {
      title: 'A week <at> the top',
      endsAt,
      startingBid: '12.50',
      minimumIncrement: '1',
      placementDays: '7',
      softCloseSeconds: '',
    }
    const refused = await post('/admin/auctions', { slotId, ...terms, endsAt: 'soon' }, admin)
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('must be a time')])
    const created = await post('/admin/auctions', { slotId, ...terms }, admin)
    const path = (created.location ?? '').split('?')[0] ?? ''
    const { html } = await get(path, admin)
    expect(html).toContain(`value="${endsAt}"`)
    expect(html).toContain('value="12.50"')
    await post(path, { action: 'update', ...terms, title: 'Two weeks', placementDays: '14' }, admin)
    expect((await get('/admin/auctions', admin)).html).toContain('Two weeks')
    await post(path, { action: 'cancel' }, admin)
    expect((await get('/admin/auctions?status=canceled', admin)).html).toContain('Two weeks')
  })

  it('an auction offers only the changes that are possible', async () => {
    const offered = async (id: string) => {
      const { html } = await get(`/admin/auctions/${id}`, admin)
      return ['update', 'cancel', 'delete'].filter((action) => html.includes(`value="${action}"`))
    }
    const [fresh, over, voided, weekly] = [
      await addAuction(pool),
      await addAuction(pool, { startsIn: -7200, endsIn: -60 }),
      await addAuction(pool),
      await addAuction(pool),
    ]
    const { bid } = await bidOnce(api, await addPerson(pool), voided, 500)
    await post(`/admin/auctions/${voided}`, { action: 'void', bidId: bid.id }, admin)
    const week = roundOf(new Date()).startsAt.toISOString().slice(0, 10)
    await pool.query(`update auctions set recurrence_key = slot_id || ' ' || $2 where id = $1`, [weekly, week])
    expect(await Promise.all([fresh, over, voided, weekly].map(offered))).toEqual([
      ['update', 'cancel', 'delete'],
      ['delete'],
      ['cancel'],
      ['update', 'cancel'],
    ])
  })

  it('a bid is voided with a reason, and the next one leads', async () => {
    const [anna, bert] = [await addPerson(pool), await addPerson(pool)]
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500)
    const { bid } = await bidOnce(api, bert, id, 900)
    const path = `/admin/auctions/${id}`
    expect((await get(path, admin)).html).toContain('An auction with bids can’t be changed.')
    expect((await post(path, { action: 'void', bidId: bid.id, reason: 'Shill' }, admin)).location).toBe(
      `${path}?done=voided`,
    )
    const { html } = await get(path, admin)
    expect(html).toContain('$5.00')
    expect(html).not.toContain('$9.00')
    const audit = (await get(`/admin/audit?targetId=${id}`, admin)).html
    expect(audit).toContain('auction.void-bid')
    expect(audit).toContain('Shill')
  })
})

it('the audit log is filtered by action and actor', async () => {
  const { html } = await get('/admin/audit?action=user.update', admin)
  expect(html).toContain('user.update')
  expect(html).not.toContain('server.update</a>')
  expect((await get(`/admin/audit?actorId=${ownerId}`, admin)).html).toContain('Nothing matches.')
  expect((await get('/admin/audit?actorId=unknown', admin)).status).toBe(400)
})
