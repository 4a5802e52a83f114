// The text of Minecraft's message of the day, and tokens of claims in it.
import { expect, onTestFinished, test } from 'vitest'
import { chatMotd, chatParts, chatText } from '../../../workers/polling/message-of-the-day.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { udpServer } from './far-end.ts'
import { minecraftServer } from './minecraft-server.ts'

const TOKEN = 'sd-verify-abcdefghijkmnopq'
const [FIRST, SECOND] = [TOKEN.slice(0, 14), TOKEN.slice(14)]

const FORMS: [string, unknown, string][] = [
  ['a text', TOKEN, TOKEN],
  ['a text with codes between its letters', `§a${FIRST}§l§x§f§f§0§0§0§0${SECOND}§r`, TOKEN],
  ['an object', { text: TOKEN }, TOKEN],
  ['texts in extra', { text: '', extra: [FIRST, SECOND] }, TOKEN],
  ['texts and objects in extra', { text: 'Hi ', extra: [FIRST, { text: SECOND, bold: true }, '!'] }, `Hi ${TOKEN}!`],
  ['extra within extra', { extra: ['Hi ', { extra: [{ text: FIRST, extra: [SECOND] }] }, '!'] }, `Hi ${TOKEN}!`],
  ['a list', ['Hi ', { text: FIRST }, SECOND], `Hi ${TOKEN}`],
  ['lists within lists', [['Hi '], { text: '', extra: [[FIRST, [SECOND]]] }], `Hi ${TOKEN}`],
  ['a translation’s values', { translate: 'a.known.key', with: [FIRST, { text: SECOND }] }, `a.known.key${TOKEN}`],
  ['a translation with places', { translate: '%2$s, 100%% %s!', with: [FIRST, 'Hi'] }, `Hi, 100% ${FIRST}!`],
  ['a translation’s fallback', { translate: 'key', fallback: `${FIRST}%s`, with: [SECOND], extra: ['!'] }, `${TOKEN}!`],
  ['numbers and flags', { text: 1, extra: [2, true, null, 'x'] }, '12truex'],
  ['nothing', null, ''],
]

const readText = (component: unknown) => chatText(chatParts(component))

test.each(FORMS)('%s is read in its order', (_form, description, text) => {
  expect(readText(description)).toBe(text)
})

// Placeholders that repeat a value would make 500 MB of text here.
test('a message that is large in any way is cut, and each component is read once', () => {
  const nested = (depth: number): unknown => (depth ? { extra: [nested(depth - 1)] } : 'deep')
  expect(readText(nested(50))).toBe('deep')
  expect(readText(nested(2_000))).toBe('')
  expect(readText({ translate: '%1$s'.repeat(100_000), with: [['x'.repeat(5_000)]] })).toHaveLength(5_000)
  expect(readText(Array.from({ length: 100_000 }, () => ['', { text: '' }]))).toBe('')
  expect(readText('x'.repeat(500_000))).toHaveLength(10_000)
  expect(readText(Array.from({ length: 5_000 }, () => 'xxxxxxx'))).toHaveLength(10_000)
})

async function lookFor(game: string, place: { address: string; port: number }) {
  const pool = createQueryPool({ concurrency: 10 })
  onTestFinished(() => pool.close())
  const ask = createAskServer({
    pool,
    resolve: createTargetResolver({ allowPrivate: true }),
    tries: { online: [400], offline: [400] },
  })
  const target = { game, ipAddress: place.address, queryPort: place.port, isOnline: true }
  return ask({ ...target, tokens: [TOKEN] })
}

test.each(FORMS.filter(([, , text]) => text.includes(TOKEN)))(
  'the token of a claim is found in %s, and the server is named by it',
  async (_form, description, name) => {
    const place = await minecraftServer('127.87.0.1', { description })
    for (const game of ['minecraft', 'protocol-minecraftvanilla'])
      expect([game, await lookFor(game, place)]).toEqual([
        game,
        expect.objectContaining({
          answered: true,
          seenTokens: [TOKEN],
          profile: expect.objectContaining({ name }),
        }),
      ])
  },
)

test('the token is found between codes of a Bedrock server’s name', async () => {
  const place = await udpServer('127.87.0.2', (request, reply) => {
    if (request[0] !== 1) return
    const status = Buffer.from(`MCPE;§a${FIRST}§b${SECOND};1;1.21;3;20;1;World;Survival;1;`)
    const answer = Buffer.alloc(35)
    answer[0] = 0x1c
    request.copy(answer, 1, 1, 9)
    request.copy(answer, 17, 9, 25)
    answer.writeUInt16BE(status.length, 33)
    reply(Buffer.concat([answer, status]))
  })
  expect(await lookFor('protocol-minecraftbedrock', place)).toMatchObject({ answered: true, seenTokens: [TOKEN] })
})

test('a server’s list of players proves nothing', async () => {
  const sample = [{ id: '00000000-0000-0000-0000-000000000001', name: TOKEN }]
  const place = await minecraftServer('127.87.0.3', {
    players: { online: 1, max: 20, sample },
    description: 'A server',
  })
  expect(await lookFor('minecraft', place)).toMatchObject({ answered: true, seenTokens: [] })
})

test.each<[string, unknown, string]>([
  ['codes', '§aA §lserver§r.', '§aA §lserver§r.'],
  [
    'colours and styles of components',
    { text: 'A ', color: 'gold', extra: [{ text: 'B', bold: true }, 'C'] },
    '§6A §lB§6C',
  ],
  ['any colour', [{ text: 'A', color: '#FF8800' }, { text: 'B' }], '§#ff8800A§rB'],
  [
    'codes within a component, which return to its style',
    { text: 'A§cB§rC', color: 'aqua', italic: true },
    '§b§oA§cB§b§oC',
  ],
  ['a style that a part turns off', { bold: true, extra: ['A', { text: 'B', bold: false }] }, '§lA§rB'],
  ['a colour that does not exist', { text: 'A', color: 'javascript:alert(1)' }, 'A'],
  ['styles of another type', { text: 'A', color: { toString: 1 }, bold: 'yes' }, 'A'],
])('a message keeps %s', (_form, description, motd) => {
  expect(chatMotd(chatParts(description))).toBe(motd)
})
