// Auctions and the administrators' pages in a browser: what moves, what works without scripts, and how it looks.
import type { Browser, Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mail } from '../../src/features/mail/index.ts'
import { bidOnce } from '../features/auctions/support.ts'
import { serverFields } from '../features/servers/support.ts'
import type { TestApi } from '../support/api.ts'
import { addAuction, addSlot } from '../support/auctions.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startSite } from '../support/site.ts'

describe.skipIf(isMissing('chromium'))('in a browser', () => {
  let api: TestApi
  let browser: Browser
  let base = ''
  let admin: Person
  let serverId = ''
  let slotId = ''

  beforeAll(async () => {
    ;({ api, browser, base } = await startSite())
    const { pool } = api.database
    admin = await addPerson(pool, { isAdmin: true })
    const listed = await api.request('/api/servers', {
      method: 'POST',
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(serverFields({ name: 'The <isle> of سيرفر' })),
    })
    serverId = ((await listed.json()) as { server: { id: string } }).server.id
    await api.directory.refresh()
    slotId = (await addSlot(pool, { location: 'home-top' })).id
  })

  /** A page with the session of a person, which must cause no error. */
  async function open(
    path: string,
    who?: Person,
    options: { javaScriptEnabled?: boolean; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en', ...options })
    context.setDefaultTimeout(60_000)
    if (who) {
      const [name = '', value = ''] = who.cookie.split('=')
      await context.addCookies([{ name, value, url: base }])
    }
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(error.message))
    onTestFinished(async () => {
      await context.close()
      expect(wrong).toEqual([])
    })
    await page.goto(base + path)
    return page
  }

  async function failMail(): Promise<void> {
    const { jobs, pool } = api.deps
    await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: uuidv7() }])
    const [job] = await jobs.boss.fetch<object>('mail', { batchSize: 1 })
    await pool.query('update pgboss.job set retry_limit = 0 where id = $1', [job?.id])
    await jobs.boss.fail('mail', job?.id ?? '', { message: '535 authentication failed' })
  }

  it('a bidder sees that another bid came, without loading the page, and bids again', async () => {
    const { pool } = api.database
    const [anna, bert] = [await addPerson(pool), await addPerson(pool)]
    const id = await addAuction(pool, { slotId, startingBid: 500, minimumIncrement: 100 })
    const page = await open(`/auctions/${id}`, anna)
    const clock = page.locator('.figures time')
    const first = await clock.textContent()
    await page.getByRole('button', { name: 'Bid', exact: true }).click()
    await page.getByText('Your bid of $5.00 leads.').waitFor()
    await expect.poll(() => clock.textContent()).not.toBe(first)
    await page.evaluate('window.isSame = true')
    await bidOnce(api, bert, id, 750)
    await page.getByText('You were outbid. Your highest bid is $5.00.').waitFor()
    expect(await page.locator('.price').textContent()).toBe('$7.50')
    expect(await page.getByLabel('Your bid in USD').inputValue()).toBe('8.50')
    await page.getByLabel('Your bid in USD').fill('9')
    await bidOnce(api, admin, id, 1_000) // what is typed stays
    await page.getByText('At least $11.00').waitFor()
    expect(await page.getByLabel('Your bid in USD').inputValue()).toBe('9')
    expect(await page.evaluate('window.isSame')).toBe(true)
    await page.getByLabel('Your bid in USD').fill('12')
    await page.getByRole('button', { name: 'Bid', exact: true }).click()
    await page.getByText('Your bid of $12.00 leads.').waitFor()
  })

  it('the proposed bid stays when another bid comes; the hint says what is needed', async () => {
    const { pool } = api.database
    const [anna, bert] = [await addPerson(pool), await addPerson(pool)]
    const id = await addAuction(pool, { slotId, startingBid: 500, minimumIncrement: 100 })
    const page = await open(`/auctions/${id}`, anna)
    await page.getByText('At least $5.00').waitFor()
    await bidOnce(api, bert, id, 750)
    await page.getByText('At least $8.50').waitFor()
    expect(await page.getByLabel('Your bid in USD').inputValue()).toBe('5.00')
  })

  it.each([true, false])('failed jobs are moved back into their queue, scripts: %s', async (javaScriptEnabled) => {
    await failMail()
    const page = await open('/admin', admin, { javaScriptEnabled })
    await page.getByText('535 authentication failed').waitFor()
    await page.getByRole('link', { name: 'Show failed jobs' }).click()
    await page.getByText('Move all dead letters back').first().click()
    await page.getByRole('button', { name: 'Move all dead letters back' }).click()
    await page.getByText('1 job moved back into its queue.').waitFor()
    expect(await page.getByText('535 authentication failed').count()).toBe(0)
    await api.deps.jobs.boss.deleteAllJobs('mail')
  })

  it('servers are selected by mouse and keyboard, and hidden together with a reason', async () => {
    const { pool } = api.database
    const names = ['Row one', 'Row two', 'Row three', 'Row four']
    for (const [n, name] of names.entries())
      await api.request('/api/servers', {
        method: 'POST',
        headers: { cookie: admin.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(serverFields({ name, ipAddress: `10.55.0.${n + 1}` })),
      })
    const page = await open('/admin/servers?search=Row', admin)
    const boxOf = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
    const chosen = () => page.locator('input[name=selected]:checked').count()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    expect(await chosen()).toBe(4)
    await page.getByText('4 servers selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck()
    expect(await chosen()).toBe(0)
    await boxOf('Row four').focus() // the newest is the first row
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    expect(await chosen()).toBe(3)
    await page.getByText('3 servers selected').waitFor()
    await page.getByLabel('Reason, for the audit log').fill('Not game servers')
    await page.getByRole('button', { name: 'Hide selected' }).click()
    await page.getByText('3 servers are hidden.').waitFor()
    const { rows } = await pool.query('select name from servers where hidden_at is not null order by id')
    expect(rows.map(({ name }) => name)).toEqual(['Row two', 'Row three', 'Row four'])
    const audited = await pool.query(`select from audit_log where details->>'reason' = 'Not game servers'`)
    expect(audited.rowCount).toBe(3)
  })

  it('the accent is the one of the site in both themes, and the page of payments has it too', async () => {
    const set = (fields: object) =>
      api.request('/api/admin/appearance', {
        method: 'PATCH',
        headers: { cookie: admin.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      })
    await set({ name: 'Nordstern', accent: '#ffd400', introduction: '## Hello\n\n[Rules](https://rules.example)' })
    for (const path of ['/', '/admin/appearance', '/login', '/payment', `/vote/${serverId}`]) {
      const page = await open(path, path.startsWith('/admin') ? admin : undefined, {
        javaScriptEnabled: path !== '/payment',
      })
      const accentIn = async (colorScheme: 'light' | 'dark') => {
        await page.emulateMedia({ colorScheme })
        return page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`)
      }
      expect([path, await accentIn('light'), await accentIn('dark')]).toEqual([path, '#816a00', '#ffd400'])
      if (path !== '/payment') expect(await faultsOf(page)).toEqual([])
    }
    await set({ name: '', accent: null, introduction: '' })
  })

  it.each([true, false])('an account is banned once it is confirmed, scripts: %s', async (javaScriptEnabled) => {
    const person = await addPerson(api.database.pool)
    const page = await open(`/admin/users?search=${person.id}`, admin, { javaScriptEnabled })
    expect(await page.getByRole('button', { name: 'Yes, ban this account' }).isVisible()).toBe(false)
    await page.getByText('Ban', { exact: true }).click()
    await page.getByRole('button', { name: 'Yes, ban this account' }).click()
    await page.getByText('banned since').waitFor()
    await page.getByRole('button', { name: 'Lift the ban' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByText('banned since').count()).toBe(0)
  })

  it('a report is decided with a note, by keyboard and without scripts', async () => {
    const reporter = await addPerson(api.database.pool)
    await api.request(`/api/servers/${serverId}/reports`, {
      method: 'POST',
      headers: { cookie: reporter.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'misleading', details: 'Claims rates it does not have' }),
    })
    const page = await open('/admin', admin, { javaScriptEnabled: false })
    await page.getByRole('link', { name: '1 open report' }).press('Enter')
    await page.getByLabel('Note for moderators and administrators').fill('Owner asked to correct it')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing here yet.').waitFor()
    await page.getByLabel('Status').selectOption('resolved')
    await page.getByRole('button', { name: 'Filter' }).click()
    expect(await page.getByLabel('Note for moderators and administrators').inputValue()).toBe(
      'Owner asked to correct it',
    )
  })

  it('an auction is created from a slot, and canceled', async () => {
    const page = await open('/admin/auctions', admin)
    await page.getByRole('heading', { name: 'New auction' }).click()
    await page.getByLabel('Title').fill('Christmas week')
    await page.getByLabel('End (UTC)').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16))
    await page.getByLabel('Starting bid').fill('25')
    await page.getByLabel('Minimum increment').fill('2.50')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Christmas week' }).waitFor()
    await page.getByText('Cancel the auction', { exact: true }).click()
    await page.getByRole('button', { name: 'Yes, cancel the auction' }).click()
    await page.getByText('Canceled.').waitFor()
  })

  it('every page is readable, fits and is accessible, light and dark, wide and narrow', async () => {
    const { pool } = api.database
    const [anna, bert] = [await addPerson(pool), await addPerson(pool)]
    await pool.query('update users set username = $2 where id = $1', [anna.id, 'W'.repeat(50)])
    const id = await addAuction(pool, { slotId, endsIn: 200_000 })
    await addAuction(pool, { slotId, startsIn: 3_600, endsIn: 90_000 })
    await addAuction(pool, { slotId, startsIn: -7_200, endsIn: -60 })
    await bidOnce(api, anna, id, 500)
    await bidOnce(api, bert, id, 123_400 / 100)
    await failMail()
    await api.request(`/api/servers/${serverId}/reports`, {
      method: 'POST',
      headers: { cookie: anna.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'spam', details: 'x'.repeat(1_000) }),
    })
    const message = {
      name: 'N'.repeat(100),
      email: 'n@example.com',
      subject: 'S'.repeat(150),
      message: 'm'.repeat(5_000),
    }
    await fetch(`${base}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    const pages: [path: string, who: Person][] = [
      ['/auctions', anna],
      [`/auctions/${id}`, anna],
      ['/admin', admin],
      ['/admin/queues/mail', admin],
      ['/admin/reports', admin],
      ['/admin/contact', admin],
      ['/admin/servers', admin],
      [`/admin/servers?search=${serverId}`, admin],
      ['/admin/servers/import', admin],
      ['/admin/appearance', admin],
      ['/admin/users', admin],
      ['/admin/auctions', admin],
      [`/admin/auctions/${id}`, admin],
      ['/admin/slots', admin],
      ['/admin/votes', admin],
      ['/admin/audit', admin],
    ]
    const faults: string[] = []
    for (const [path, who] of pages) {
      const page = await open(path, who)
      faults.push(...(await faultsOf(page)))
      await page.context().close()
    }
    expect(faults).toEqual([])
  })
})
