// The places of servers in the month before the running one, for lists that show the change.

/** A server's place in the month before, among all servers and among those of its game; 0: none. */
interface PreviousPlace {
  place: number
  placeInGame: number
}

/** Places by slot. */
interface Places {
  all: Int32Array
  inGame: Int32Array
}

/** Takes eight bytes a server once a month is loaded, and no memory before. */
export function createPreviousPlaces(slotsEnd: () => number) {
  let month = ''
  let shown: Places = { all: new Int32Array(0), inGame: new Int32Array(0) }
  /** Places that are being read. They are not shown before `finish`. */
  let read = shown

  return {
    begin(): void {
      read = { all: new Int32Array(slotsEnd()), inGame: new Int32Array(slotsEnd()) }
    },
    set(slot: number, { place, placeInGame }: PreviousPlace): void {
      read.all[slot] = place
      read.inGame[slot] = placeInGame
    },
    /** Shows the places that were set since `begin`, instead of those before. @param before their month, `2026-10` */
    finish(before: string): void {
      month = before
      shown = read
    },
    /** The server left. */
    clear(slot: number): void {
      for (const { all, inGame } of [shown, read]) {
        all[slot] = 0
        inGame[slot] = 0
      }
    },
    /** @returns null if the server had no place, or the month is not loaded */
    of(slot: number, before: string, isInGame: boolean): number | null {
      if (month !== before) return null
      const place = isInGame ? shown.inGame[slot] : shown.all[slot]
      return place ? place : null
    },
  }
}
