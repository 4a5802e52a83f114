// docs/SETTINGS.md is what `npm run settings` generates.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { renderSettings } from '../../dev/settings/render.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { TEST_SETTINGS } from '../../src/platform/config/settings-schema.ts'

it('docs/SETTINGS.md matches the schema of the settings', () => {
  expect(fs.readFileSync('docs/SETTINGS.md', 'utf8')).toBe(renderSettings())
})

it('settings for tests are accepted, but not listed', () => {
  const listed = fs.readFileSync('docs/SETTINGS.md', 'utf8')
  for (const name of Object.keys(TEST_SETTINGS)) {
    expect(readSettings({})).toHaveProperty(name)
    expect(listed).not.toContain(name)
  }
})
