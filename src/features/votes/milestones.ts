// The numbers of votes that a server's owner and its subscribers are notified of.

const LARGEST_COUNT = 2 ** 31 - 1 // total_votes is an integer

/** 100, 500, 1,000, 5,000, 10,000 and so on, ascending. */
export const MILESTONES: readonly number[] = milestonesUpTo(LARGEST_COUNT)

export const isMilestone = (totalVotes: number): boolean => MILESTONES.includes(totalVotes)

function milestonesUpTo(largest: number): number[] {
  const found: number[] = []
  for (let power = 100; power <= largest; power *= 10) found.push(power, power * 5)
  return found.filter((milestone) => milestone <= largest)
}
