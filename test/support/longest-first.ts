// The order of test files: those that take minutes begin first, or the run would end with one of them alone.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files start whole products, longest first. */
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
