// The auction pages: the list, the bids, bidding and paying by forms without scripts.
import { describe, expect, it } from 'vitest'
import { sweepAuctions } from '../../../src/features/auctions/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { bidOnce } from '../auctions/support.ts'
import { startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { formsOf } from './forms.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
const { get, post } = formsOf(api.url)
const [anna, bert] = [await addPerson(pool), await addPerson(pool)]

describe('the list of auctions', () => {
  it('has running, upcoming and ended ones, each with its place and price', async () => {
    const { id: slotId } = await addSlot(pool, { location: 'home-top', tier: 'premium' })
    const running = await addAuction(pool, { slotId, startingBid: 123_456 })
    await bidOnce(api, anna, running, 123_456)
    const upcoming = await addAuction(pool, { slotId, startsIn: 3600, endsIn: 90_000 })
    const ended = await addAuction(pool, { slotId, startsIn: -7200, endsIn: -60 })
    const { html } = await get('/auctions')
    const order = ['<h2>Running', running, '$1,234.56', '1 bid<', '<h2>Upcoming', upcoming, '<h2>Past results', ended]
    const found = order.map((text) => html.indexOf(text))
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(found).not.toContain(-1)
    expect(html).toContain('The card on top of the front page for a week')
    expect(await get('/auctions?lang=de')).toMatchObject({ html: expect.stringMatching(/1\.234,56\s€|1\.234,56\s\$/) })
  })
})

describe('an auction', () => {
  it('shows its bids to all, and leads visitors to the login instead of a form', async () => {
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500)
    await bidOnce(api, bert, id, 650)
    const { html } = await get(`/auctions/${id}`)
    expect(html.match(/<td><b>\$\d\.\d\d<\/b>/g)).toEqual(['<td><b>$6.50</b>', '<td><b>$5.00</b>'])
    expect(html).toContain(`href="/login?next=%2Fauctions%2F${id}"`)
    expect(html).not.toContain('<form')
    expect((await get(`/auctions/${crypto.randomUUID()}`)).status).toBe(404)
  })

  it('offers a bidder’s listed servers only', async () => {
    const bidder = await addPerson(pool)
    const [listed, hidden] = [
      await addServer(pool, { ownerId: bidder.id }),
      await addServer(pool, { ownerId: bidder.id }),
    ]
    await pool.query('update servers set hidden_at = now() where id = $1', [hidden])
    await api.directory.refresh()
    const { html } = await get(`/auctions/${await addAuction(pool)}`, bidder)
    expect(html).toContain(`<option value="${listed}"`)
    expect(html).not.toContain(hidden)
  })

  it('takes a bid by a form, and says who leads and who was outbid', async () => {
    const id = await addAuction(pool, { startingBid: 500, minimumIncrement: 150 })
    const path = `/auctions/${id}`
    const placed = await post(path, { action: 'bid', amount: '5.00' }, anna)
    expect([placed.status, placed.location]).toEqual([303, `${path}?placed=true`])
    expect((await get(placed.location ?? '', anna)).html).toContain('Your bid of $5.00 leads.')
    expect((await get(path, anna)).html).not.toContain('name="amount"')
    const before = (await get(path, bert)).html
    expect(before).toContain('At least $6.50')
    expect(before).toMatch(/<input[^>]*name="amount"[^>]*value="6\.50"/)
    expect((await post(path, { action: 'bid', amount: '7,25' }, bert)).status).toBe(303)
    expect((await get(path, anna)).html).toContain('You were outbid. Your highest bid is $5.00.')
  })

  it('that is over has a winner only while it is offered or sold', async () => {
    const loser = await addPerson(pool)
    const id = await addWonAuction(pool, anna.id, await addServer(pool, { ownerId: anna.id }))
    const bid = `insert into bids (id, auction_id, user_id, amount, placed_at) values (gen_random_uuid(), $1, $2, 900, now())`
    await pool.query(bid, [id, loser.id])
    const won = (await get(`/auctions/${id}`)).html
    expect([won.includes('<dt>Winning bid'), won.includes('S***</span>')]).toEqual([true, true])
    await pool.query(`update auction_offers set status = 'refunded' where auction_id = $1`, [id])
    const { html } = await get(`/auctions/${id}`, loser)
    for (const words of ['<dt>Winning bid', '<dt>Leading bidder', 'You lead with $']) expect(html).not.toContain(words)
    expect(html).toContain('<dt>Highest bid')
  })

  it.each([
    ['6.49', 'A bid must be at least $6.50 now.'],
    ['1000000', 'A bid must be at most'],
    ['a lot', 'Enter an amount like 12.50.'],
    ['6.505', 'Enter an amount like 12.50.'],
  ])('says what is wrong with %s, and keeps it', async (amount, message) => {
    const id = await addAuction(pool, { startingBid: 500, minimumIncrement: 150 })
    await bidOnce(api, anna, id, 500)
    const refused = await post(`/auctions/${id}`, { action: 'bid', amount }, bert)
    expect(refused.status).toBe(400)
    expect(refused.html).toContain(message)
    expect(refused.html).toMatch(new RegExp(`<input[^>]*name="amount"[^>]*value="${amount}"`))
  })

  it.each([
    ['en', 'Your session has ended, so nothing was sent.'],
    ['de', 'Deine Sitzung ist abgelaufen, es wurde nichts abgeschickt.'],
  ])('keeps a bid whose session has ended through the login (%s)', async (language, words) => {
    const id = await addAuction(pool, { startingBid: 500 })
    const [mine, others] = [await addServer(pool, { ownerId: anna.id }), await addServer(pool, { ownerId: anna.id })]
    await api.directory.refresh()
    const path = `/auctions/${id}`
    const form = { action: 'bid', amount: '7,25', serverId: mine }
    const refused = await post(path, form, undefined, { 'accept-language': language })
    expect([refused.status, refused.html]).toEqual([401, expect.stringContaining(words)])
    const back = `${path}?${new URLSearchParams({ amount: '7,25', serverId: mine })}`
    expect(refused.html).toContain(`href="/login?${new URLSearchParams({ next: back })}"`)
    const { html } = await get(back, anna)
    expect(html).toMatch(/<input[^>]*name="amount"[^>]*value="7,25"/)
    expect(html).toContain(`<option value="${mine}" selected>`)
    expect(html).toContain(`<option value="${others}">`)
    expect((await post(back, form, anna)).location).toBe(`${path}?placed=true`)
  })

  it('tells the winner what keeps the offer from being paid, instead of a button that fails', async () => {
    const id = await addWonAuction(pool, anna.id, await addServer(pool, { ownerId: anna.id }), 1_250)
    await pool.query('update ad_slots set is_active = false where id = (select slot_id from auctions where id = $1)', [
      id,
    ])
    await sweepAuctions(api.deps)
    const { html } = await get(`/auctions/${id}`, anna)
    expect(html).toContain('You won for $12.50, but it can’t be paid now: the place is switched off.')
    expect(html).not.toContain('>Pay $12.50</button>')
    const admin = await addPerson(pool, { isAdmin: true })
    expect((await get(`/admin/auctions/${id}`, admin)).html).toContain('Could not be paid: the slot was inactive')
  })

  it('leads the winner, and no other, to the payment page', async () => {
    const server = await addServer(pool, { ownerId: anna.id })
    const id = await addWonAuction(pool, anna.id, server, 1_250)
    const path = `/auctions/${id}`
    const { html } = await get(path, anna)
    expect(html).toContain('You won. Pay $12.50 by')
    expect(html).toContain('>Pay $12.50</button>')
    expect((await get(path, bert)).html).not.toContain('Pay $12.50')
    const paying = await post(path, { action: 'pay', serverId: server }, anna)
    const [session] = Object.values(provider.state.sessions)
    expect(paying.html).toContain(`href="${session?.url}"`)
    expect(paying.html).toContain(`<meta http-equiv="refresh" content="0;url=${session?.url}"`)
    expect(session).toMatchObject({ success_url: expect.stringContaining(path), amount_total: 1_250 })
    expect((await post(path, { action: 'pay' }, bert)).status).toBe(400)
    const off = formsOf((await startTestApi({ database: api.database })).url)
    const unpaid = await off.post(path, { action: 'pay', serverId: server }, anna)
    expect(unpaid.status).toBe(503)
    expect(unpaid.html).toContain('Payments are switched off here at the moment, so nothing can be paid.')
  })

  it.each([
    ['refunded', 'Your payment was refunded or disputed, so it does not pay for this place.'],
    ['refund_due', 'Your payment could no longer be accepted and is being refunded.'],
  ])('says of a payment that is %s what is true whatever the reason', async (status, words) => {
    const id = await addWonAuction(pool, anna.id, await addServer(pool, { ownerId: anna.id }))
    await pool.query('update auction_offers set status = $2 where auction_id = $1', [id, status])
    expect((await get(`/auctions/${id}`, anna)).html).toContain(words)
  })

  it('takes no form from elsewhere, and none without a session', async () => {
    const id = await addAuction(pool)
    const form = { action: 'bid', amount: '5.00' }
    expect((await post(`/auctions/${id}`, form, anna, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(`/auctions/${id}`, form)).status).toBe(401)
    expect((await get(`/auctions/${id}`)).html).toContain('No bids yet.')
  })
})
