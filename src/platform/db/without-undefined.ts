// Filters and changes for Prisma, which must not be given `undefined`.

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The fields that have a value. */
export const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
