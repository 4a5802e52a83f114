// The languages in which the site, its pictures and its messages are written.
import * as z from 'zod'

export const Language = z.enum(['en', 'de'], 'must be en or de')
export type Language = z.output<typeof Language>
