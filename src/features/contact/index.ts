// Contact: messages to the people who run the directory, stored and mailed.
export { contactOperations } from './contact.operations.ts'
export { runContactRetention, writeContactMessage } from './contact.service.ts'
export { personalData } from './personal-data.ts'
