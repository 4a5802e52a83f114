// English: the contact form.
export const contact = {
  title: 'Contact',
  lead: 'Write to the people who run this directory. To report a server, use the button on its page.',
  name: 'Your name',
  email: 'Your e-mail address',
  emailHint: 'The answer is sent to this address.',
  subject: 'Subject (optional)',
  message: 'Message',
  send: 'Send',
  sent: 'Your message has been sent. The answer comes by e-mail.',
  leaveEmpty: 'Leave this field empty',
}
