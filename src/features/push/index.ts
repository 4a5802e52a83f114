// Push messages to browsers: the directory's keys, which push services get them, and what a sender needs of each.

export { pushOperations } from './push.operations.ts'
export { MessageLanguage, PushSubscription } from './push.schema.ts'
export { createPushMessage, type PushMessage, requirePushService } from './push.service.ts'
