// Where each server is: the country of its address, and the region that its owner gave or else the country's continent.
import { COUNTRIES, continentOf } from '../countries.ts'
import { addToFacet, type Facet, removeFromFacet } from './facets.ts'
import { fold } from './fold.ts'

export interface Geography {
  readonly countries: Facet
  readonly regions: Facet
  /** @returns ISO 3166-1 alpha-2; empty if unknown */
  countryOf(slot: number): string
  /** @returns empty if unknown */
  regionOf(slot: number): string
  /** Whether the region follows from the country. */
  isRegionDerived(slot: number): boolean
  setCountry(slot: number, country: string): void
  /** @param region the owner's; empty if none */
  setRegion(slot: number, region: string): void
  /** The server left. */
  clear(slot: number): void
}

export function createGeography(): Geography {
  const countries: Facet = new Map()
  const regions: Facet = new Map()
  const ownRegions: string[] = []
  /** By slot: index in COUNTRIES, from 1; 0: unknown. */
  let country = new Uint8Array(1024)

  const countryOf = (slot: number) => COUNTRIES[(country[slot] ?? 0) - 1] ?? ''
  const ownRegion = (slot: number) => ownRegions[slot] ?? ''
  const regionOf = (slot: number) => ownRegion(slot) || continentOf(countryOf(slot))

  /** Changes what decides the region, and moves the server to its new one. */
  function change(slot: number, apply: () => void): void {
    const before = regionOf(slot)
    apply()
    const now = regionOf(slot)
    if (now === before) return
    removeFromFacet(regions, fold(before), slot)
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
    removeFromFacet(countries, before, slot)
    addToFacet(countries, countryOf(slot), slot)
  }

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
    isRegionDerived: (slot) => !ownRegion(slot) && regionOf(slot) !== '',
    setCountry,
    setRegion,
    clear(slot) {
      setCountry(slot, '')
      setRegion(slot, '')
    },
  }
}
