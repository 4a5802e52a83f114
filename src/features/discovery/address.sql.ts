// SQL of addresses: columns and parameters with an IP address or a DNS name in the form of `normalizeAddress`.

/** Whether it is an IP address: no DNS name has a colon, or only digits and dots. */
export const isIpAddress = (text: string) => `(strpos(${text}, ':') > 0 or ${text} ~ '^[0-9.]+$')`

/** Null for a DNS name. */
export const asInet = (text: string) => `case when ${isIpAddress(text)} then ${text}::inet end`
