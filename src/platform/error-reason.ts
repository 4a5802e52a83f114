// Formats an error in one line for a terminal.

/** A failed connection is an AggregateError with an empty message: the reason is in its parts. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length) return reasonOf(error.errors[0])
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s*\n\s*/g, ' ')
}
