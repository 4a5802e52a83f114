// Where votes come from.
export const votes = {
  intro: 'Servers whose votes of the last 7 days came from the fewest networks first. A share leads to its votes.',
  topNetwork: 'Largest share of one network',
  ownerVotes: 'Sent by the owner',
  minVotes: 'Minimum votes',
}
