// How the provider counts amounts: in the smallest unit of a currency, which for some is the whole
// (docs.stripe.com/currencies).

const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const WITH_THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))

/** @param currency ISO 4217, in any case */
function decimalsOf(currency: string): number {
  const code = currency.toLowerCase()
  if (WITHOUT_DECIMALS.has(code)) return 0
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2
}

/** @returns hundredths of the currency, as this API counts */
export const toCents = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (2 - decimalsOf(currency)))

/** @returns `10.00 EUR`, `1000 JPY` */
export const formatAmount = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency.toUpperCase()}`
}
