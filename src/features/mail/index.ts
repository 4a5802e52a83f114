// Mail: the job that any feature enqueues in its own transaction to have a mail sent.
export { type DroppedAccess, jobs, type Mail, type MailOrder, mail } from './mail.jobs.ts'
