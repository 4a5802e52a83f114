// The places of servers in the month before the running one, for lists that show the change.

/** A server's place in the month before, among all servers and among those of its game; 0: none. */
interface PreviousPlace {
  place: number
  placeInGame: number
}

/** Takes eight bytes a server once a month is loaded, and no memory before. */
export function createPreviousPlaces(slotsEnd: () => number) {
  let month = ''
  let places = new Int32Array(0)
  let placesInGame = new Int32Array(0)

  return {
    /** Begins a month without places. @param before `2026-10` */
    begin(before: string): void {
      month = before
      places = new Int32Array(slotsEnd())
      placesInGame = new Int32Array(slotsEnd())
    },
    set(slot: number, { place, placeInGame }: PreviousPlace): void {
      places[slot] = place
      placesInGame[slot] = placeInGame
    },
    /** The server left. */
    clear(slot: number): void {
      places[slot] = 0
      placesInGame[slot] = 0
    },
    /** @returns null if the server had no place, or the month is not loaded */
    of(slot: number, before: string, isInGame: boolean): number | null {
      if (month !== before) return null
      const place = isInGame ? placesInGame[slot] : places[slot]
      return place ? place : null
    },
  }
}
