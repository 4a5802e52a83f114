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

it('leads every import of every module to a file', async () => {
  const assets = createAssets()
  const { imports } = JSON.parse(assets.importMap) as { imports: Record<string, string> }
  const names = (href: string) => /^\/assets\/([^/]+)\/(.+)$/.exec(href)?.slice(1) as [string, string]
  for (const href of assets.modulesOf('browser/directory.ts')) {
    const { rendered } = (await assets.read(...names(href))) ?? {}
    const script = rendered?.bytes.toString() ?? ''
    expect(script, href).not.toBe('')
    for (const [, specifier = ''] of script.matchAll(/^import [^'"]*from '([^']+)'/gm)) {
      const address = specifier.startsWith('.') ? new URL(specifier, `https://site.example${href}`).pathname : specifier
      expect(assets.read(...names(imports[address] ?? address)), `${specifier} of ${href}`).toBeDefined()
    }
  }
})
