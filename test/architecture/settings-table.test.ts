// Compares the README's tables of settings with the schema.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import type * as z from 'zod'
import { readSettings } from '../../src/platform/config/settings.ts'
import { SETTING_GROUPS, TEST_SEAMS } from '../../src/platform/config/settings-schema.ts'

const readme = fs.readFileSync('README.md', 'utf8')
const defaults = readSettings({}) as Record<string, unknown>

/** Renders the README's tables from the schema: each setting, its default and its description. */
const settingsTables = (): string =>
  Object.entries(SETTING_GROUPS)
    .map(([group, settings]) => {
      const rows = Object.entries<z.ZodType>(settings).map(([name, schema]) => {
        const optional = schema.safeParse(undefined).data === undefined
        return `| \`${name}\` | ${optional ? '' : `\`${defaults[name]}\``} | ${schema.description} |`
      })
      return [`### ${group}`, '', '| setting | default | what it does |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')

it('the README’s tables of settings match the schema', () => {
  const shown = /<!-- settings:[^>]*-->\n([\s\S]*?)\n?<!-- \/settings -->/.exec(readme)?.[1]
  expect(shown).toBe(settingsTables())
})

it('settings for tests are accepted, but not listed', () => {
  for (const name of Object.keys(TEST_SEAMS)) {
    expect(defaults).toHaveProperty(name)
    expect(readme).not.toContain(name)
  }
})
