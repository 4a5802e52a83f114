// What browsers load.
import { expect, it, onTestFinished } from 'vitest'
import { createAssets } from '../../../src/features/site/assets.ts'

it('makes the modules again at the next request if they could not be made', async () => {
  const { execPath } = process
  onTestFinished(() => {
    process.execPath = execPath
  })
  const assets = createAssets()
  process.execPath = '/nonexistent/node'
  await expect(assets.read('older', 'browser/directory.ts')).rejects.toThrow('ENOENT')
  process.execPath = execPath
  const { rendered } = (await assets.read('older', 'browser/directory.ts')) ?? {}
  expect(rendered?.bytes.toString()).not.toContain('import type')
})
