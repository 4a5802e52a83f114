// What administrators set of the look of the site, and what they read.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line, paragraphs, text, webAddress } from '../../platform/text.ts'
import type { Color } from './colors.ts'

const COLOR = /^#[0-9a-fA-F]{6}$/

const accent = text()
  .regex(COLOR, 'must be a colour as #0b62d6')
  .transform((color) => color.toLowerCase() as Color)

const imprintUrl = webAddress.describe('Linked at the bottom of each page; empty: no link')
const privacyUrl = webAddress.describe('The privacy policy, linked at the bottom of each page; empty: no link')

export const AppearanceChange = z.strictObject({
  name: line(0, 60).optional().describe('Of the site, on its pages and in its mails; empty: the product’s'),
  accent: accent.nullable().optional().describe('Colour of links and buttons; null: the product’s'),
  introduction: paragraphs(0, 2000).optional().describe('Markdown, above the list of servers'),
  imprintUrl: imprintUrl.optional(),
  privacyUrl: privacyUrl.optional(),
})

const color = z.string().regex(/^#[0-9a-f]{6}$/)

const Colors = z
  .object({
    accent: color.describe('Of links, borders and buttons'),
    soft: color.describe('Behind what is chosen'),
    onAccent: color.describe('Of text on a button'),
  })
  .meta({ id: 'AccentColors' })

export const AppearanceReply = z
  .object({
    name: z.string().describe('Empty: the product’s'),
    accent: color.nullable().describe('As it was given; null: the product’s'),
    colors: z
      .object({ light: Colors, dark: Colors })
      .nullable()
      .describe('What becomes of the accent in both themes, so that it can be read (WCAG AA); null without one'),
    introduction: z.string(),
    imprintUrl: z.string(),
    privacyUrl: z.string(),
    logo: z
      .object({
        state: z
          .enum(['none', 'pending', 'ready', 'refused'])
          .describe(
            '`pending`: a worker will encode the picture within seconds. `refused`: the one before is still shown',
          ),
        reason: z.string().nullable().describe('Why the picture was refused'),
        url: z.url().nullable().describe('The picture that is shown'),
      })
      .meta({ id: 'SiteLogo' }),
    updatedAt: Timestamp.nullable().describe('null: never changed'),
  })
  .meta({ id: 'Appearance' })
