// The door of mail: the order that any room places in its own transaction.
export { type DroppedAccess, type Mail, type MailOrder, mail } from './mail.jobs.ts'
