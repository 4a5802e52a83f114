// Messages of the contact form.
export const contact = {
  deleteMessage: 'The message is deleted for good.',
  suspect: 'Looks like spam',
  noSubject: 'No subject',
}
