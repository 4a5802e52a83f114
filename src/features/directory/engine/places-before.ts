// The places of servers in the month before the running one, for lists that show the change.

/** What is known of a server's place in the month before; 0: none. */
interface PlaceBefore {
  place: number
  placeInGame: number
}

/** Eight bytes a server, none before the first month is loaded. */
export function createPlacesBefore(slotsEnd: () => number) {
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
    set(slot: number, { place, placeInGame }: PlaceBefore): void {
      places[slot] = place
      placesInGame[slot] = placeInGame
    },
    /** The server left. */
    clear(slot: number): void {
      places[slot] = 0
      placesInGame[slot] = 0
    },
    /** @returns null if it had none, or that month is not loaded */
    of(slot: number, before: string, isInGame: boolean): number | null {
      if (month !== before) return null
      const place = isInGame ? placesInGame[slot] : places[slot]
      return place ? place : null
    },
  }
}
