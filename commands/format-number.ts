/** A number for the terminal, with thousands separators. */
export const formatNumber: (value: number) => string = new Intl.NumberFormat('en').format
