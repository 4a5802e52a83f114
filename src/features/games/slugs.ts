// Addresses of games' pages: the words of a game's name.
import { slugOf } from '../../platform/slug.ts'
import { gameName } from './game-names.ts'
import { gameTypes } from './game-types.ts'

const slugOfType = (type: string) => slugOf(gameName(type)) || type

/** Path of the page of a game: `/games/ark-survival-evolved`. */
export const gamePath = (type: string): string => `/games/${slugOfType(type)}`

const typesBySlug = new Map(gameTypes().map(({ id }) => [slugOfType(id), id]))

/** @returns the type; undefined if no game has this slug */
export const gameOfSlug = (slug: string): string | undefined => typesBySlug.get(slug)
