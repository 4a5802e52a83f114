// gamedig's source code by protocol, for tests that notice when an update changes what our tables are about.
import { protocols } from 'gamedig'

/** Of a protocol's class and of those that it inherits from. */
export const inheritedSources = (id: string): string => sourcesOf(protocols[id])

function sourcesOf(protocol: unknown): string {
  return typeof protocol === 'function' && protocol !== Function.prototype
    ? `${protocol}${sourcesOf(Object.getPrototypeOf(protocol))}`
    : ''
}
