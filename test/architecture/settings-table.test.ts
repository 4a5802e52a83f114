// Compares the README's table of settings with the schema.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/platform/config/settings.ts'
import { SettingsSchema } from '../../src/platform/config/settings-schema.ts'

const readme = fs.readFileSync('README.md', 'utf8')
const defaults = readSettings({}) as Record<string, unknown>

/** Renders the README's table from the schema: each setting, its default and its description. */
function settingsTable(): string {
  const rows = Object.entries(SettingsSchema.shape).map(([name, schema]) => {
    const optional = schema.safeParse(undefined).data === undefined
    return `| \`${name}\` | ${optional ? '' : `\`${defaults[name]}\``} | ${schema.description} |`
  })
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

it('the README’s settings table matches the schema', () => {
  const shown = /<!-- settings:[^>]*-->\n([\s\S]*?)\n?<!-- \/settings -->/.exec(readme)?.[1]
  expect(shown).toBe(settingsTable())
})
