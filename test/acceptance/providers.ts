// Logging in at the chat platform and at the game platform of this folder's product.
import { goByPlatform } from '../support/platform-login.ts'
import type { Client } from '../support/product-client.ts'
import { chatProvider, gamePlatform } from './product.ts'

let identities = 0

/** Nobody's yet, at either platform. */
export const newIdentity = () => `765611980${String(++identities).padStart(8, '0')}`

/** With a session the identity is linked to its account; without one it is logged in. */
export const goByChatPlatform = (client: Client, id: string) => goByPlatform(client, chatProvider, id)

/** As `goByChatPlatform`. */
export const goByGamePlatform = (client: Client, id: string) => goByPlatform(client, gamePlatform, id)
