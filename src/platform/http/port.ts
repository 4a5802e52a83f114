// A UDP or TCP port in replies.
import * as z from 'zod'

export const Port = z.int().min(1).max(65_535)
