// The end of a job that trying again can't help.

/** Thrown by a handler: the job goes to its queue's dead letters at once. The message is stored and logged: no secret, no address. */
export class PermanentJobError extends Error {
  override name = 'PermanentJobError'
}
