// The vote form, and reminders to vote.
export const vote = {
  vote: 'Vote',
  voteFor: 'Vote for this server',
  voteHint: 'One vote in 24 hours. Name and id are optional: the server may need one of them to reward you.',
  needsScripts:
    'Votes need scripts here: your browser solves a small task first, which keeps bots out. Switch scripts on to vote.',
  proving: 'Your browser is solving a small task that keeps bots out …',
  username: 'Player name',
  platformId: 'Platform id (Steam, UUID …)',
  thanks: 'Thank you for your vote.',
  wasSent: 'It was sent to the server.',
  streak: '{n} days in a row!',
  cooldown: 'You can vote for this server again {when}.',
  again: 'Again in {time}',
  delivered: 'The server has received it.',
  rewarded: 'Your reward was given.',
  rewardWaits: 'Your reward is on its way …',
  placeRose: 'The server rose from place {before} to {after}.',
  remind: { push: 'Remind me here', email: 'Remind me by mail' },
  reminded: 'You will be reminded when you can vote again.',
  remindNot: 'No reminder',
  remindForbidden: 'Your browser blocks notifications of this site.',
}
