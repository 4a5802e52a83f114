// Contact: messages to the people who run the directory, stored and mailed.
export { contactRetention } from './contact.jobs.ts'
export { contactOperations } from './contact.operations.ts'
export { writeContactMessage } from './contact-mail.ts'
export { runContactRetention } from './retention.ts'
