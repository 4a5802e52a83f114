// Amounts as people type them.
/** Whole cents of `12.50` or `12,5`; NaN for anything else. */
export const centsOf = (typed = ''): number =>
  /^\d{1,9}([.,]\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed.trim().replace(',', '.')) * 100) : Number.NaN
