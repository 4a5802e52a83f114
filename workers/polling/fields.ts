// Fields of what a server sent, which can be of any type.

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const fieldsOf = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {})
