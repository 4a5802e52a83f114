// Signals: a daily search for votes that look bought or sent by a script, whose findings moderators answer
// (docs/decisions/0076).
export { runVoteSignals } from './signals.service.ts'
