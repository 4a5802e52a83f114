// Mail: the job that any feature enqueues in its own transaction to have a mail sent.
export {
  type AccessEvent,
  type Mail,
  type MailRequest,
  mail,
  type RevokedAccess,
  type SecondFactorEvent,
} from './mail.jobs.ts'
export { deriveMailToken } from './mail-token.ts'
