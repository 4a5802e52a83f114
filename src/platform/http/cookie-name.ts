/**
 * The name of a cookie (docs/decisions/0025). Over https it begins with `__Host-`, which browsers accept only from this host over
 * https, so that neither a sibling domain nor plain http can plant one.
 */
export const cookieName = (name: string, https: boolean) => `${https ? '__Host-' : ''}${name}`
