// The reply of an operation that has nothing to tell but that it was done (interface.md §4).
import * as z from 'zod'

export const Success = z.object({ success: z.boolean() }).meta({ id: 'Success' })
export const DONE: z.output<typeof Success> = { success: true }
