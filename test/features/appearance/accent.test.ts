// The accent colour: whatever an administrator gives, people can read it in both themes.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accentColors,
  accentPath,
  accentStyle,
  findAccentStyle,
  THEMES,
} from '../../../src/features/appearance/accent.ts'
import { type Color, contrastOf, fromOklch, toOklch } from '../../../src/features/appearance/colors.ts'

const THEME_NAMES = ['light', 'dark'] as const
const hex = (rgb: number): Color => `#${rgb.toString(16).padStart(6, '0')}`
const colors = fc.integer({ min: 0, max: 0xffffff }).map(hex)
/** The text of pages, `--text` of css/base.css. */
const TEXT = { light: '#171d26', dark: '#e8ecf1' } as const
const STEPS = [0, 51, 102, 153, 204, 255]

function expectReadable(given: Color): void {
  for (const theme of THEME_NAMES) {
    const { accent, soft, onAccent } = accentColors(given)[theme]
    // Links on every ground, text on buttons, and what is chosen. Borders and focus rings need only 3.
    for (const ground of [...THEMES[theme].surfaces, soft])
      expect([given, theme, ground, contrastOf(accent, ground) >= 4.5]).toEqual([given, theme, ground, true])
    expect([given, theme, contrastOf(onAccent, accent) >= 4.5]).toEqual([given, theme, true])
    expect([given, theme, contrastOf(TEXT[theme], soft) >= 4.5]).toEqual([given, theme, true])
    for (const color of [accent, soft, onAccent]) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  }
}

describe('any accent', () => {
  it('is readable on every ground of both themes: 216 colours over the whole cube', () => {
    for (const r of STEPS) for (const g of STEPS) for (const b of STEPS) expectReadable(hex((r << 16) | (g << 8) | b))
  })

  it('is readable on every ground of both themes: at random', () => {
    fc.assert(fc.property(colors, expectReadable), { numRuns: 500 })
  })

  it('keeps its hue, and is left as it is in a theme where it can be read', () => {
    expect(accentColors('#0b62d6').light.accent).toBe('#0b62d6')
    expect(accentColors('#6aa9ff').dark.accent).toBe('#6aa9ff')
    fc.assert(
      fc.property(colors, (given) => {
        const before = toOklch(given)
        for (const theme of THEME_NAMES) {
          const after = toOklch(accentColors(given)[theme].accent)
          if (before.c < 0.06 || after.c < 0.06) continue // grey has no hue, and eight bits of a dark colour hardly one
          expect(Math.cos(after.h - before.h)).toBeGreaterThan(0.97)
        }
      }),
    )
  })

  it('has a style with nothing but colours, at an address that changes with it', () => {
    fc.assert(
      fc.property(colors, (given) => {
        const style = accentStyle(given)
        expect(style).toMatch(
          /^(@media\(prefers-color-scheme:dark\)\{)?:root\{(--[a-z-]+:#[0-9a-f]{6};?){3}\}@media.*\}\}$/,
        )
        const file = accentPath(given).slice('/accents/'.length)
        expect(findAccentStyle(file)).toEqual({ style, isCurrent: true })
        expect(findAccentStyle(file.replace(/-.{12}/, `-${'x'.repeat(12)}`))).toEqual({ style, isCurrent: false })
      }),
      { numRuns: 50 },
    )
    for (const wrong of ['', 'red;}body{}.css', '0b62d6.css', '#0b62d6-aaaaaaaaaaaa.css', '0B62D6-aaaaaaaaaaaa.css'])
      expect(findAccentStyle(wrong)).toBeUndefined()
  })
})

describe('colours', () => {
  it('survive the way to lightness, chroma and hue and back', () => {
    fc.assert(
      fc.property(colors, (color) => {
        const [there, back] = [color, fromOklch(toOklch(color))].map((one) => Number.parseInt(one.slice(1), 16))
        for (const shift of [16, 8, 0])
          expect(Math.abs((((there ?? 0) >> shift) & 255) - (((back ?? 0) >> shift) & 255))).toBeLessThanOrEqual(2)
      }),
    )
  })

  it('have the contrast that WCAG defines', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastOf('#123456', '#123456')).toBe(1)
  })

  it('of the grounds are those of the pages', () => {
    const css = readFileSync('src/features/site/css/base.css', 'utf8')
    const [light = '', dark = ''] = css.split('prefers-color-scheme: dark')
    for (const [theme, part] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const of = (name: string) => new RegExp(`--${name}: (#\\w{6})`).exec(part)?.[1]
      expect(THEMES[theme].surfaces).toEqual(['ground', 'card', 'sunk'].map(of))
      expect([THEMES[theme].onAccent, TEXT[theme]]).toEqual([of('on-accent'), of('text')])
    }
  })
})
