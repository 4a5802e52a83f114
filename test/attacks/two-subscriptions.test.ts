// One account orders two tiers at once and pays every page it gets: only one page can be paid, for one subscription.
import { expect, it } from 'vitest'
import { type Person, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

const product = await startProduct()
const ROUNDS = 10

interface Order {
  sessionId?: string
  url?: string
  error?: string
}

const order = ({ client }: Person, tier: string) => client.post<Order>('/api/billing/checkout', { tier })

/** Whether the provider's page accepts a payment. */
async function isPayable(url: string): Promise<boolean> {
  return (await (await fetch(url)).text()).includes('value="pay"')
}

const pay = (url: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' })

/** Active subscriptions in the provider's overview. */
async function countActive(origin: string, { email }: Person): Promise<number> {
  const rows = (await (await fetch(origin)).text()).split('<tr>')
  return rows.filter((row) => row.includes(` of ${email}<`) && row.includes('<td>active')).length
}

it('two parallel checkouts leave one payable page, and paying both gives one subscription', async () => {
  const found = []
  for (let round = 0; round < ROUNDS; round++) {
    const person = await registerAt(product)
    const orders = await Promise.all([order(person, 'standard'), order(person, 'premium')])
    const urls = orders.flatMap(({ body: { url } }) => url ?? [])
    const payable = await Promise.all(urls.map(isPayable))
    await Promise.all(urls.map(pay))
    const origin = new URL(urls[0] ?? '').origin
    await expect
      .poll(async () => (await person.client.get('/api/user/subscription')).body.status, WAIT_OPTIONS)
      .toBe('active')
    const refused = orders.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error}`)
    found.push({ payable: payable.filter(Boolean).length, active: await countActive(origin, person) })
    expect(['400 checkout_replaced']).toEqual(expect.arrayContaining(refused))
  }
  expect(found).toEqual(found.map(() => ({ payable: 1, active: 1 })))
})
