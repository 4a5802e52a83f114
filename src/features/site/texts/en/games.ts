// English: the pages of games.
export const games = {
  title: 'Games',
  about: 'All games with listed servers, those with the most players first.',
  none: 'No servers are listed yet.',
  listTitle: '{name} servers',
  listAbout:
    '{name} servers with live player counts: the best, the newest and those just wiped. {servers} servers, {players} players now.',
  playersNow: { one: '{n} player now', other: '{n} players now' },
  peak: 'At most {n} in the last 24 hours',
  port: 'Usual port {port}',
  opens: 'Opens from this site',
  needs: { version: 'Needs the server’s version', 'version and mods': 'Needs the server’s version and mods' },
  all: { one: 'The only server', other: 'All {n} servers' },
  ofMonth: 'Best of this month',
  best: 'Best',
  rising: 'Rising: most votes in the last 24 hours',
  newest: 'New',
  wiped: 'Just wiped',
  wiping: 'Next wipes',
  byCountry: 'By country',
}
