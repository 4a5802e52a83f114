// What the next migration may be called.

/** A migration's name that can't be used; its message is one line. */
export class MigrationNameError extends Error {
  override name = 'MigrationNameError'
}

/** @throws MigrationNameError unless the name is lower case words joined by `_` */
export function checkMigrationName(name: string | undefined): string {
  if (name && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 100) return name
  throw new MigrationNameError(`a migration’s name is in lower case and joined by _, as add_votes, and not ${name}`)
}
