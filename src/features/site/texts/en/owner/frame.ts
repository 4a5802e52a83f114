// The tabs of a server, and why it is not listed.
export const tabs = {
  label: 'Server',
  overview: 'Overview',
  edit: 'Listing',
  endpoints: 'Endpoints',
  votes: 'Votes',
  rewards: 'Rewards',
  rcon: 'Console',
  wipes: 'Wipes',
  team: 'Team',
  public: 'Public page',
}

export const unlisted = {
  unverified: 'This server is not listed yet. Players see it once you have proven that it is yours.',
  hidden: 'This server is not listed: the people who run this directory have hidden it. They can list it again.',
  contact: 'Contact them',
  contactSubject: 'Hidden server: {name}',
}
