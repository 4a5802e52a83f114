// Every job contract of every room: what `npm run migrate` installs as queues and what the worker's registry must handle.
import { historyPartitions, historyRetention, historyRollUp } from './features/history/index.ts'
import { poll } from './features/polling/index.ts'
import type { JobContract } from './platform/queue/contract.ts'

export const contracts: JobContract[] = [poll, historyPartitions, historyRetention, historyRollUp]
