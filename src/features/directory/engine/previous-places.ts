// The places of servers in the month before the running one, for lists that show the change.

/** A server's place in the month before, among all servers and among those of its game; 0: none. */
interface PreviousPlace {
  place: number
  placeInGame: number
}

interface Places {
  /** Places by slot. */
  all: Int32Array
  inGame: Int32Array
  /** Places of servers that are not listed now, by id: those that are shown again get them back. */
  unlisted: Map<string, PreviousPlace>
}

/** Takes eight bytes a server once a month is loaded, and no memory before. */
export function createPreviousPlaces(slotsEnd: () => number) {
  const createPlaces = (): Places => ({
    all: new Int32Array(slotsEnd()),
    inGame: new Int32Array(slotsEnd()),
    unlisted: new Map(),
  })

  let month = ''
  let shown: Places = { all: new Int32Array(0), inGame: new Int32Array(0), unlisted: new Map() }
  /** Places that are being read. They are not shown before `finish`. */
  let read = shown

  function write(places: Places, slot: number, { place, placeInGame }: PreviousPlace): void {
    if (slot >= places.all.length) {
      const longer = createPlaces()
      longer.all.set(places.all)
      longer.inGame.set(places.inGame)
      places.all = longer.all
      places.inGame = longer.inGame
    }
    places.all[slot] = place
    places.inGame[slot] = placeInGame
  }

  return {
    begin(): void {
      read = createPlaces()
    },
    /** @param slot undefined: the server is not listed */
    set(id: string, slot: number | undefined, place: PreviousPlace): void {
      if (slot === undefined) read.unlisted.set(id, place)
      else write(read, slot, place)
    },
    /** Shows the places that were set since `begin`, instead of those before. @param before their month, `2026-10` */
    finish(before: string): void {
      month = before
      shown = read
    },
    /** The server came, or came back. */
    add(id: string, slot: number): void {
      for (const places of new Set([shown, read])) {
        const place = places.unlisted.get(id)
        if (place) write(places, slot, place)
        places.unlisted.delete(id)
      }
    },
    /** The server left. */
    remove(id: string, slot: number): void {
      for (const places of new Set([shown, read])) {
        const place = places.all[slot]
        if (!place) continue
        places.unlisted.set(id, { place, placeInGame: places.inGame[slot] ?? 0 })
        write(places, slot, { place: 0, placeInGame: 0 })
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
