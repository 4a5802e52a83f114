// The README's table of settings against the schema they are read by.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/platform/config/settings.ts'
import { SettingsSchema } from '../../src/platform/config/settings-schema.ts'

const readme = fs.readFileSync('README.md', 'utf8')
const defaults = readSettings({}) as Record<string, unknown>

/** The README's table as the schema has it: each setting, its default and its description. */
function settingsTable(): string {
  const rows = Object.entries(SettingsSchema.shape).map(([name, schema]) => {
    const optional = schema.safeParse(undefined).data === undefined
    return `| \`${name}\` | ${optional ? '' : `\`${defaults[name]}\``} | ${schema.description} |`
  })
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

it('the README’s settings table is what the schema says', () => {
  const shown = /<!-- settings:[^>]*-->\n([\s\S]*?)\n?<!-- \/settings -->/.exec(readme)?.[1]
  expect(shown).toBe(settingsTable())
})
