// The context of the commands of `npm run servers`.
import type { Servers } from '../../src/features/servers/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import type { Command } from '../command.ts'

export type ServersCommand = Command<{ servers: Servers; settings: Settings; pool: Pool }>
