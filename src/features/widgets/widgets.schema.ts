// What the images for other sites return.
import * as z from 'zod'

export const Svg = z.string().meta({ description: 'An SVG image' })
