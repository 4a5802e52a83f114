// Working memory of a snapshot's queries. They run synchronously, so one is enough; each query overwrites the result of
// the previous one.
import { wordsFor } from './bits.ts'

export interface Workspace {
  /** Two sets of slots. */
  bits: Int32Array
  otherBits: Int32Array
  /** A list of slots. */
  slots: Uint32Array
}

export const createWorkspace = (): Workspace => ({
  bits: new Int32Array(64),
  otherBits: new Int32Array(64),
  slots: new Uint32Array(1024),
})

/** Grows the arrays to hold the slots below `slotsEnd`. */
export function growWorkspace(workspace: Workspace, slotsEnd: number): void {
  const words = wordsFor(slotsEnd)
  if (workspace.bits.length < words) {
    workspace.bits = new Int32Array(Math.ceil(words * 1.25))
    workspace.otherBits = new Int32Array(Math.ceil(words * 1.25))
  }
  if (workspace.slots.length < slotsEnd) workspace.slots = new Uint32Array(Math.ceil(slotsEnd * 1.25))
}
