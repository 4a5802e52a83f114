// The proof of a server.
export const claim = {
  title: 'Prove that it is yours',
  lead: 'Show a token where only the owner can write: in the server’s name, its tags or its rules. We look for it at every poll, and at once if you ask.',
  start: 'Get a token',
  token: 'Your token',
  step: 'Put it into the server’s name, tags or rules, for example “My server {token}”, restart if the game needs it, then check.',
  /** Where to put the token, for games whose servers have another word for it. */
  where: {
    minecraft:
      'In Minecraft it is the message of the day: motd in server.properties, or that of the proxy if players connect through one.',
    minetest:
      'In Luanti it is server_name in minetest.conf. The server announces it when it starts, so restart it; we see it within a minute.',
  } as Record<string, string>,
  expires: 'Valid until {date}.',
  check: 'Check now',
  checking: 'Asking the server…',
  busy: 'The server could not be queried just now. Try again in a moment.',
  checks: {
    token_missing: 'The server answered, but it does not show the token yet.',
    silent: 'The server did not answer. Is it running, and are address and query port right?',
    several_answers: 'The server gave several answers at once, so none of them proves anything. Try again.',
  },
  done: 'The server is proven to be yours. You can take the token away again.',
  listed: 'Listed. One step is left: prove that it is yours.',
  later: 'Later',
  takeover: 'Another user has proven this server before. It becomes yours on {date} if the token stays.',
  open: 'Manage the server',
  inTeam: 'You are in the team of this server.',
  stop: 'Stop other users’ claims',
  stopHint: 'They then can’t claim the server for 30 days.',
}
