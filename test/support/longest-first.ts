// Orders the test files: the longest start first, so that the run does not end waiting for one of them.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files start the whole product, longest first. */
const LONGEST = ['/test/acceptance/', '/test/faults/', '/test/pages/', '/test/fuzz/', '/test/journeys/', '/test/tools/']

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((folder) => moduleId.includes(folder))
  return rank === -1 ? LONGEST.length : rank
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}
