// The page that ends reminders to vote.
export const reminder = {
  question: 'End these reminders?',
  ended: 'You get no more reminders of this server.',
  end: 'No more reminders',
}
