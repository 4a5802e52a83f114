// Claims and RCON of a server that players reach by a name without a port: both go where DNS leads players.
import { expect, onTestFinished, test } from 'vitest'
import { createClaimChecker } from '../../../workers/claims/claim-check.handler.ts'
import { startTestApi } from '../../support/api.ts'
import { type NameRecord, startNameServer } from '../../support/name-server.ts'
import { addPerson } from '../../support/people.ts'
import { startTestRconServer } from '../../support/rcon-server.ts'
import { minecraftServer } from '../../workers/polling/minecraft-server.ts'
import { createRconWorld, PASSWORD, startRconWorker } from '../rcon/support.ts'
import { serverFields } from '../servers/support.ts'
import { createClaimWorld } from './support.ts'

const api = await startTestApi()
const { call, statusOf } = createClaimWorld(api)

test.each([
  ['no port', 'plain.example', undefined],
  ['the usual port', 'play.example', 25_565],
])(
  'of a name with %s, the server that SRV records name proves a claim and gets commands, not the host of the name’s own address',
  async (_, name, gamePort) => {
    let token = ''
    const game = await minecraftServer('127.89.0.1', () => ({ description: `Mine ${token}` }))
    const [here, elsewhere] = [
      await startTestRconServer({ address: '127.89.0.1' }),
      await startTestRconServer({ address: '127.89.0.2' }),
    ]
    const records: Record<string, NameRecord[]> = {
      [name]: ['127.89.0.2'],
      [`_minecraft._tcp.${name}`]: [{ port: game.port, target: 'node.example' }],
      'node.example': ['127.89.0.1'],
    }
    const { address } = await startNameServer((name) => records[name] ?? 'missing')

    const owner = await addPerson(api.database.pool)
    const fields = serverFields({ game: 'minecraft', ipAddress: name, gamePort })
    const { body } = await call(owner, 'POST', '/servers', fields)
    const { server, verificationToken } = body as { server: { id: string }; verificationToken: string }
    token = verificationToken

    const checker = createClaimChecker({ ...api.deps, settings: { ...api.deps.settings, DNS_SERVERS: [address] } })
    onTestFinished(() => checker.close())
    await checker.handle({ serverId: server.id })
    expect(await statusOf(owner, server.id)).toMatchObject({ status: 'verified' })
    const { rows } = await api.database.pool.query('select proven_address from servers where id = $1', [server.id])
    expect(rows).toEqual([{ proven_address: '127.89.0.1' }])

    const { configure, send } = createRconWorld(api)
    await startRconWorker(api, { DNS_SERVERS: address })
    await configure(owner, server.id, here.port, PASSWORD)
    expect(await send(owner, server.id, 'list')).toMatchObject({ status: 200 })
    expect([here.commands, elsewhere.logins]).toEqual([['list'], []])
  },
)
