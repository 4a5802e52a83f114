// What is sent for a vote: a voter's name must never become a command.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderCommands } from '../../../src/features/rewards/commands.ts'

const STEAM_ID = '76561198000000001'
const values = { username: 'Ann', gamePlatformId: STEAM_ID, platformIdKey: STEAM_ID, votes: 3, streak: 2 }

test('replaces the four placeholders, and nothing else in braces', () => {
  expect(
    renderCommands(
      [
        'give {username} stick{Enchantments:[{id:sharpness}]} {votes}',
        'kit {gamePlatformId} {gamePlatformId}',
        'say {Username} {} {streak}',
      ],
      values,
    ),
  ).toEqual([
    'give Ann stick{Enchantments:[{id:sharpness}]} 3',
    'kit 76561198000000001 76561198000000001',
    'say {Username} {} 2',
  ])
})

test('looks only at the values that the commands name', () => {
  const odd = { ...values, username: 'Ann; stop' }
  expect(renderCommands(['kit {gamePlatformId}'], odd)).toEqual(['kit 76561198000000001'])
  expect(renderCommands(['kit {gamePlatformId}', 'say {username}'], odd)).toBeUndefined()
  expect(renderCommands(['say {username}'], { ...values, username: '' })).toBeUndefined()
})

test.each([
  ['STEAM_0:1:19867136', 'STEAM_0:1:19867136'], // as the consoles of Source games take it
  ['[U:1:39734273]', STEAM_ID],
  ['https://steamcommunity.com/profiles/76561198000000001', STEAM_ID],
])('the identifier %s is sent as %s', (gamePlatformId, sent) => {
  expect(renderCommands(['kit {gamePlatformId}'], { ...values, gamePlatformId })).toEqual([`kit ${sent}`])
})

describe('refuses', () => {
  test.each([
    ...[
      'Ann; stop',
      'Ann stop',
      'Ann\nstop',
      'Ann"',
      "Ann'",
      '@a',
      '*',
      '-rf',
      '$(stop)',
      '%PATH%',
      '^1Ann',
      '\\',
      '/op',
      '{votes}',
      '~',
    ],
    ...['Ann\u00a0stop', 'Ann\u2028stop', 'Zoë', '猫', '|', '&', '`', '<@1>', '[Ann]', 'Ann:', ',', '.Ann', '#2', '!x'],
  ])('the name %j', (username) => {
    expect(renderCommands(['say {username}'], { ...values, username })).toBeUndefined()
  })

  test('each name that would change the number of words or contain a separator', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (username, gamePlatformId) => {
        const [command] =
          renderCommands(['give {username} {gamePlatformId} 1'], {
            ...values,
            username,
            gamePlatformId,
            platformIdKey: gamePlatformId,
          }) ?? []
        if (command !== undefined) expect(command).toMatch(/^give [A-Za-z0-9_][\w.-]* [A-Za-z0-9_][\w.:-]* 1$/)
      }),
    )
  })
})

test.each(['Ann', 'x_X-Ann.2', '_', '7'])('accepts the name %s', (username) => {
  expect(renderCommands(['say {username}'], { ...values, username })).toEqual([`say ${username}`])
})
test.each(['STEAM_0:1:2345', '069a79f4-44e9-4726-a5be-fca90e38aaf5', 'steam:110000103fd1bb1'])(
  'accepts the id %s',
  (gamePlatformId) => {
    expect(renderCommands(['kit {gamePlatformId}'], { ...values, gamePlatformId })).toEqual([`kit ${gamePlatformId}`])
  },
)
