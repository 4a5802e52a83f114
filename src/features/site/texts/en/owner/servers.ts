// An owner’s servers.
export const list = {
  title: 'My servers',
  add: 'Add a server',
  none: 'You have no server listed yet.',
  noneHint: 'Enter its address: we query it and show what players will see, before anything is saved.',
  month: 'this month',
  day: 'in 24 hours',
  visibility: { hidden: 'hidden', unverified: 'not listed yet' },
}
