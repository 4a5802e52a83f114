// Where each server is: the country of its address, and the region that its owner gave or else the country's continent.

import { COUNTRIES, continentOf } from '../../../platform/countries.ts'
import { fold } from '../../../platform/fold-text.ts'
import { addToFacet, type Facet, removeFromSets } from './facets.ts'

export function createGeography() {
  const countries: Facet = new Map()
  const regions: Facet = new Map()
  const ownRegions: string[] = []
  /** The country by slot: its index in COUNTRIES, from 1; 0: unknown. */
  let country = new Uint8Array(1024)

  /** @returns ISO 3166-1 alpha-2; empty if unknown, also for a slot beyond the array */
  const countryOf = (slot: number) => COUNTRIES[(country[slot] ?? 0) - 1] ?? ''
  const ownRegion = (slot: number) => ownRegions[slot] ?? ''
  /** @returns empty if unknown */
  const regionOf = (slot: number) => ownRegion(slot) || continentOf(countryOf(slot))

  /** Changes what decides the region, and moves the server to its new one. */
  function change(slot: number, apply: () => void): void {
    const before = regionOf(slot)
    apply()
    const now = regionOf(slot)
    if (now === before) return
    removeFromSets(regions, fold(before), slot)
    addToFacet(regions, fold(now), slot)
  }

  function setCountry(slot: number, code: string): void {
    const before = countryOf(slot)
    if (code === before) return
    if (slot >= country.length) {
      const larger = new Uint8Array(Math.ceil(slot * 1.5))
      larger.set(country)
      country = larger
    }
    change(slot, () => {
      country[slot] = COUNTRIES.indexOf(code) + 1
    })
    removeFromSets(countries, before, slot)
    addToFacet(countries, countryOf(slot), slot)
  }

  /** @param region the owner's; empty if none */
  function setRegion(slot: number, region: string): void {
    change(slot, () => {
      ownRegions[slot] = region
    })
  }

  return {
    countries,
    regions,
    countryOf,
    regionOf,
    /** Whether the region follows from the country. */
    isRegionDerived: (slot: number) => !ownRegion(slot) && regionOf(slot) !== '',
    setCountry,
    setRegion,
    /** The server left. */
    clear(slot: number): void {
      setCountry(slot, '')
      setRegion(slot, '')
    },
  }
}
