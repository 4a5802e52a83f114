// Queue administration: the state of every queue with a verdict and advice, failed jobs, and their recovery.

export { queuesOperations } from './queues.operations.ts'
export { JobState } from './queues.schema.ts'
export { listFailedJobs, listJobs, listQueues, redriveJobs, retryJobs } from './queues.service.ts'
