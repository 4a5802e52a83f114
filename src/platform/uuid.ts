const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether a text is a UUID, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text)
