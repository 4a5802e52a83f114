// Checks the name of a new migration.

/** An invalid migration name; the message is one line. */
export class MigrationNameError extends Error {
  override name = 'MigrationNameError'
}

/** @throws MigrationNameError unless the name is lower case words joined by `_` */
export function checkMigrationName(name: string | undefined): string {
  if (name && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 100) return name
  throw new MigrationNameError(
    `a migration’s name must be lower-case words joined by _, for example add_votes, not ${name}`,
  )
}
