// English: the page that explains the order of servers.
export const ranking = {
  title: 'How servers are ranked',
  description: 'How votes, players and uptime decide the order of servers. You can compute it yourself.',
  lead: 'First come the servers that people vote for and play on now. You can compute every score yourself: its numbers are on the page of each server.',
  votes: 'Votes fade',
  votesText:
    'A vote counts 1 on its first day. Every {days} days it counts half as much. So last year’s favorite stays in front only while people still vote for it, and a good new server is seen within weeks.',
  age: 'Age of a vote',
  ageOf: { one: '{n} day', other: '{n} days' },
  counts: 'Counts',
  playing: 'Players count a little',
  playingText:
    'Each hour adds log₂(1 + players) ÷ 48 votes, with the average players of that hour, without bots. More than {most} players add no more. These votes fade like the others. They rank servers without votes, and are too few to be worth inventing players for.',
  players: 'Players all day',
  votesADay: 'Votes a day',
  uptime: 'A server must be up',
  uptimeText:
    'The sum is multiplied by the server’s uptime of the last day, and by that of the last week. A server that was away for a whole day counts a hundredth, until it is back.',
  formula: 'Score = (votes + players) × uptime of the day × uptime of the week',
  rest: 'The rest',
  restText:
    'All scores fade alike, so the order changes only when people vote, play, or a server goes down. Servers with equal scores are in the order of their listing, oldest first. Advertisements do not change a score.',
  api: 'Programs can read the numbers of a server.',
  apiLink: 'See the API',
  list: 'To the ranking',
  month: 'Best of the month',
}
