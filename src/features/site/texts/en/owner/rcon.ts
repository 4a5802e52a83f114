// The console.
export const rcon = {
  title: 'Console',
  lead: 'Commands by RCON, sent by the directory. The audit log keeps each of them, with passwords hidden.',
  command: 'Command',
  send: 'Send',
  sending: 'Waiting for the answer…',
  empty: 'The server answered without a text.',
  busy: 'No worker was free to send the command; it did not run. Try again in a moment.',
  access: 'Access',
  port: 'RCON port',
  password: 'RCON password',
  passwordHint: 'Stored encrypted and never shown again.',
  set: 'Set up for port {port}, on {date}.',
  remove: 'Remove port and password',
}
