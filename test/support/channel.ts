// The channel between two processes, within one.
import { EventEmitter } from 'node:events'

type End = EventEmitter & { connected: boolean; send(message: unknown): boolean }

/** Both ends. Messages arrive at once, unless `deliver` decides. */
export function openChannel(deliver: (arrive: () => void) => void = (arrive) => arrive()) {
  const ends = [0, 1].map(() => Object.assign(new EventEmitter(), { connected: true })) as [End, End]
  const [near, far] = ends
  const sendTo = (end: End) => (message: unknown) => {
    const copy = structuredClone(message)
    deliver(() => end.emit('message', copy))
    return true
  }
  near.send = sendTo(far)
  far.send = sendTo(near)
  return {
    near,
    far,
    close() {
      for (const end of ends) {
        end.connected = false
        end.emit('disconnect')
      }
    },
  }
}
