// docs/SETTINGS.md is what `npm run settings` generates.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { renderSettings } from '../../dev/settings/render.ts'

it('docs/SETTINGS.md matches the schema of the settings', () => {
  expect(fs.readFileSync('docs/SETTINGS.md', 'utf8')).toBe(renderSettings())
})
