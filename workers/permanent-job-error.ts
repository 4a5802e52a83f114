// An error that retries can't fix.

/** Moves the job to its queue's dead letters at once. The message is stored and logged: no secret, no address. */
export class PermanentJobError extends Error {
  override name = 'PermanentJobError'
}
