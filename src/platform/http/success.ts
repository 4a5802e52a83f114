// The reply of an operation that returns no data.
import * as z from 'zod'

export const Success = z.object({ success: z.boolean() }).meta({ id: 'Success' })
export const SUCCESS: z.output<typeof Success> = { success: true }
