// What is sold, on the pages: prices before checkout, one press to pay, and the page that follows a payment.
import { describe, expect, it } from 'vitest'
import { applyPayment } from '../../../src/features/auctions/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction } from '../../support/auctions.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { applyEvents, deliver, lastOf, startProvider, subscribe } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { formsOf } from './forms.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
const { get, post } = formsOf(api.url)
const SUBSCRIPTION = '/account/subscription'

async function settle(events: ReturnType<typeof provider.actions.pay>) {
  for (const { event } of events) expect((await deliver(api, event)).status).toBe(200)
  await applyEvents(api.deps)
}

/** The session of the page that a form leads to at once. */
async function pressed(path: string, form: Record<string, string>, who: Person) {
  const { html } = await post(path, form, who)
  const url = /<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1] ?? ''
  const session = provider.state.sessions[url.split('/').at(-1) ?? '']
  if (!session) throw new Error('the page leads to no payment page')
  return { session, html }
}

describe('a subscription', () => {
  it('shows what each tier costs before anything is ordered, in the language of the page', async () => {
    const person = await addPerson(pool)
    const { html } = await get(SUBSCRIPTION, person)
    for (const price of ['$5.00', '$15.00', '$99.00'])
      expect(html).toContain(`<b>${price}</b> <span class="quiet">a month</span>`)
    const german = (await get(`${SUBSCRIPTION}?lang=de`, person)).html
    expect(german).toMatch(/<b>15,00\s\$<\/b> <span class="quiet">im Monat/)
  })

  it('says what it costs without asking the provider for each page, and does without while that is down', async () => {
    const person = await addPerson(pool)
    const broken = await startProvider()
    broken.failCalls((_method, path) => path.includes('/prices/'))
    const other = await startTestApi({ database: api.database, settings: broken.settings })
    const { html } = await formsOf(other.url).get(SUBSCRIPTION, person)
    expect(html).toContain('The payment page shows the price.')
    expect(html).toContain('Choose Premium')
  })

  it('leads to the payment page by one press, without scripts too, and back in the chosen language', async () => {
    const person = await addPerson(pool)
    const { session, html } = await pressed(SUBSCRIPTION, { action: 'checkout', tier: 'premium' }, person)
    expect(html).toContain(`href="${session.url}"`)
    expect(session.success_url).not.toContain('lang=')
    const other = await addPerson(pool)
    const german = await pressed(`${SUBSCRIPTION}?lang=de`, { action: 'checkout', tier: 'premium' }, other)
    expect(german.session).toMatchObject({ locale: 'de', success_url: expect.stringContaining('lang=de') })
    const page = await (await fetch(german.session.url ?? '')).text()
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('Zurück zu Server Directory')
    expect(page).toContain('15,00 USD im Monat')
  })

  it('says when it renews, and offers changes instead of orders', async () => {
    const person = await addPerson(pool)
    await subscribe(provider, pool, person.id)
    const { html } = await get(SUBSCRIPTION, person)
    expect(html).toMatch(/active · Renews on \w+ \d+, \d{4}/)
    expect(html).toContain('Change to Enterprise')
    expect(html).not.toContain('>Choose ')
  })

  it('offers no second payment while one is not confirmed', async () => {
    const person = await addPerson(pool)
    const { session } = await pressed(SUBSCRIPTION, { action: 'checkout', tier: 'standard' }, person)
    const events = provider.actions.pay(session)
    const back = new URL(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id))
    const waiting = await get(back.pathname + back.search, person)
    expect(waiting.html).toContain('Your payment is being processed')
    expect(waiting.html).toContain('<noscript><meta http-equiv="refresh" content="5"')
    const link = /href="(\/account\/subscription\?paid=[^"]+)"/.exec(waiting.html)?.[1] ?? ''
    const pending = await get(link, person)
    expect(pending.html).toContain('Your payment is being processed.')
    expect(pending.html).not.toMatch(/Choose (Standard|Premium|Enterprise)<\/button>/)
    await settle(events)
    const { html } = await get(back.pathname + back.search, person)
    expect(html).toContain('Thank you')
    expect(html).toMatch(/Your tier: Standard · Renews on/)
    expect((await get(link, person)).html).toContain('Change to Premium')
  })
})

describe('the page after a payment', () => {
  it('has the header, a way back and the language, and claims nothing about payments of others', async () => {
    const [person, other] = [await addPerson(pool), await addPerson(pool)]
    const { session } = await pressed(SUBSCRIPTION, { action: 'checkout', tier: 'premium' }, person)
    await settle(provider.actions.pay(session))
    const path = `/payment?checkout=success&session_id=${session.id}`
    for (const who of [other, undefined]) expect((await get(path, who)).html).toContain('If you paid')
    const { html } = await get(`${path}&lang=de`, person)
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('<h1>Danke</h1>')
    expect(html).toContain('href="/account/subscription?lang=de"')
    expect(html).toMatch(/<header class="top">[\s\S]*href="\/games\?lang=de"/)
    expect((await get('/payment?checkout=canceled', person)).html).toContain('Nothing was paid.')
  })

  it('is there without the site, which it then does not lead to', async () => {
    const off = await startTestApi({ database: api.database, settings: { ...provider.settings, SITE: 'off' } })
    const { status, html } = await formsOf(off.url).get('/payment?checkout=canceled')
    expect(status).toBe(200)
    expect(html).not.toContain('/account/subscription')
  })
})

describe('a place', () => {
  it('is shown in words and as a picture, with what it brought last week, also if nothing runs', async () => {
    const { html } = await get('/auctions')
    expect(html).toContain('No auction is running or planned now.')
    expect(html).toContain('<svg class="place-picture"')
    const { id: slotId } = await addSlot(pool, { location: 'home-top' })
    const owner = await addPerson(pool)
    const serverId = await addServer(pool, { ownerId: owner.id })
    const won = await addWonAuction(pool, owner.id, serverId)
    await pool.query(
      `insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at)
       select gen_random_uuid(), $1, id, $2, now() - interval '3 days', now() + interval '4 days' from auction_offers where auction_id = $3`,
      [slotId, serverId, won],
    )
    await pool.query(
      `insert into server_activity (server_id, day, views)
       select $1, day::date, case when day < now() - interval '3 days' then 10 else 240 end
       from generate_series(now() - interval '10 days', now() - interval '1 day', interval '1 day') as day`,
      [serverId],
    )
    const upcoming = await addAuction(pool, { slotId, startsIn: 3600, endsIn: 90_000, placementDays: 14 })
    const planned = (await get(`/auctions/${upcoming}?lang=de`)).html
    expect(planned).toContain('Die Karte ganz oben auf der Startseite für 2 Wochen')
    expect(planned).toContain('Aufrufe am Tag: letzte Woche mit diesem Platz 240, in der Woche davor 10.')
    const featured = (await get('/featured')).html
    expect(featured).toContain('<svg class="place-picture"')
    expect(featured).toMatch(/A week at the top starts on [^<]+, from \$5\.00\./)
    expect(featured).toContain(`href="/auctions/${upcoming}"`)
  })

  it('has the only server of the bidder chosen, and none of several', async () => {
    const [one, two] = [await addPerson(pool), await addPerson(pool)]
    const only = await addServer(pool, { ownerId: one.id })
    for (let n = 0; n < 2; n++) await addServer(pool, { ownerId: two.id })
    await api.directory.refresh()
    const path = `/auctions/${await addAuction(pool)}`
    expect((await get(path, one)).html).toMatch(new RegExp(`<option value="${only}" selected`))
    expect((await get(path, two)).html).toMatch(/<option value selected|<option value="" selected/)
  })

  it('is paid once: a bank debit that is on its way is said, and no second payment is offered', async () => {
    const person = await addPerson(pool)
    const id = await addWonAuction(pool, person.id, await addServer(pool, { ownerId: person.id }), 1_250)
    const path = `/auctions/${id}`
    const { session } = await pressed(path, { action: 'pay' }, person)
    const back = new URL(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id))
    expect((await get(back.pathname + back.search, person)).html).not.toContain('>Pay $12.50</button>')
    expect((await get(path, person)).html).toContain('>Pay $12.50</button>')
    provider.actions.payByDebit(session)
    const { event } = provider.state.events.at(-1) ?? {}
    await settle([{ event } as never])
    const waiting = (await get(path, person)).html
    expect(waiting).toContain('Your payment is being processed.')
    expect(waiting).not.toContain('>Pay $12.50</button>')
    provider.actions.failLate(session)
    await settle([lastOf(provider.state.events as never) as never])
    expect((await get(path, person)).html).toContain('>Pay $12.50</button>')
  })

  it('whose payment has arrived is not offered again before its placement exists', async () => {
    const person = await addPerson(pool)
    const id = await addWonAuction(pool, person.id, await addServer(pool, { ownerId: person.id }), 1_300)
    const path = `/auctions/${id}`
    const { session } = await pressed(path, { action: 'pay' }, person)
    await settle(provider.actions.pay(session))
    const { rows } = await pool.query<{ id: string; status: string }>(
      'select id, status from auction_offers where auction_id = $1',
      [id],
    )
    expect(rows).toMatchObject([{ status: 'open' }])
    expect((await get(path, person)).html).toContain('Your payment is being processed.')
    const reference = rows[0]?.id ?? ''
    await applyPayment(api.deps, {
      reference,
      status: 'paid',
      paymentId: session.payment_intent,
      sessionId: session.id,
    })
    expect((await get(path, person)).html).toContain('You paid $13.00.')
  })
})
