// Logs in at the chat platform and the game platform of this folder's product.
import { goByPlatform } from '../support/platform-login.ts'
import type { Client } from '../support/product-client.ts'
import { chatProvider, gamePlatform } from './product.ts'

let identities = 0

/** An identity of either platform that is linked to no account. */
export const newIdentity = () => `765611980${String(++identities).padStart(8, '0')}`

/** Links the identity to the session's account, or logs in when there is no session. */
export const goByChatPlatform = (client: Client, id: string) => goByPlatform(client, chatProvider, id)

/** As `goByChatPlatform`. */
export const goByGamePlatform = (client: Client, id: string) => goByPlatform(client, gamePlatform, id)
