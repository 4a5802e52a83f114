// Orders the test files: the longest start first, so that the run does not end waiting for one of them.
import fs from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Parts of the paths of files that start the whole product, longest first. */
const LONGEST = [
  '/test/acceptance/',
  '/test/faults/',
  '/test/browser/',
  '/test/fuzz/',
  '/test/guide/',
  '.long.test.ts',
  '/test/commands/',
]

/** Short files may take long: they start processes of the product. */
const startsProcesses = (moduleId: string) =>
  /support\/processes\.ts|child_process/.test(fs.readFileSync(moduleId, 'utf8'))

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((part) => moduleId.includes(part))
  if (rank !== -1) return rank
  return LONGEST.length + Number(!startsProcesses(moduleId))
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}
