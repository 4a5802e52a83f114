import { describe, expect, it } from 'vitest'
import { formatAmount, toCents } from '../../../src/features/billing/currency.ts'

describe('an amount of the provider', () => {
  it.each([
    [1_500, 'usd', 1_500, '15.00 USD'],
    [1_500, 'JPY', 150_000, '1500 JPY'],
    [1_500, 'kwd', 150, '1.500 KWD'],
    [1_500, 'isk', 1_500, '15.00 ISK'],
  ])('of %d in %s is %d cents, and is written %s', (amount, currency, cents, text) => {
    expect([toCents(amount, currency), formatAmount(amount, currency)]).toEqual([cents, text])
  })
})
