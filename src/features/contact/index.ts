// Contact: messages to the people who run the directory, stored and mailed.
export { jobs } from './contact.jobs.ts'
export { contactOperations } from './contact.operations.ts'
export { runContactRetention, writeContactMessage } from './contact.service.ts'
export { personalData } from './personal-data.ts'
