// The door of the contact form: messages to those who run the directory, kept and mailed.
import type { Route } from '../../platform/http/route.ts'
import { contactRoutes } from './contact.routes.ts'
import { type ContactOptions, createContactService } from './contact.service.ts'

export { contactRetention } from './contact.jobs.ts'
export { runContactRetention } from './contact.service.ts'
export { writeContactMessage } from './contact-mail.ts'

export interface Contact {
  routes: Route[]
}

export function createContact(options: ContactOptions): Contact {
  return { routes: contactRoutes(createContactService(options)) }
}
