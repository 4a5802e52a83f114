// Addresses of simulated game servers that are listed.
import { loopbackAddress } from '../../dev/simulator/fleet.ts'

const FIRST = 3_000_000
let given = 0

/**
 * A new loopback address: the system may give a port again that a server on the same address had,
 * which is still listed.
 */
export const nextGameAddress = (): string => loopbackAddress(FIRST + given++)
