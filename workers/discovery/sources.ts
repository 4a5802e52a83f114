// The sources by name.
import { isPublishersList } from '../../src/features/discovery/index.ts'
import type { Source } from './source.ts'
import { publishersList } from './sources/publishers-list.ts'

/** @returns undefined for a name that no source has */
export function sourceOf(name: string): Source | undefined {
  return isPublishersList(name) ? publishersList(name) : undefined
}
