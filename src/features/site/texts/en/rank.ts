// English: a server's place, and what decides it.
export const rank = {
  title: 'Ranking',
  counted: { one: '{n} vote counts as {counted} today.', other: '{n} votes count as {counted} today.' },
  place: 'Place',
  placeInGame: 'Among servers of its game',
  of: '{place} of {n}',
  votes: 'Votes, faded',
  playing: 'For hours played',
  availability: 'Uptime factor',
  score: 'Score',
  how: 'How servers are ranked',
}
