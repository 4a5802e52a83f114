// Colours: contrast (WCAG 2.2) and lightness as people see it (OKLCH, https://bottosson.github.io/posts/oklab/).

/** `#rrggbb` in lower case. */
export type Color = `#${string}`

/** Lightness from 0 to 1, chroma, and hue in radians. */
interface Oklch {
  l: number
  c: number
  h: number
}

const channelsOf = (color: Color): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const fromLinear = (light: number) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

function luminanceOf(color: Color): number {
  const [r = 0, g = 0, b = 0] = channelsOf(color).map(toLinear)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio from 1, for equal colours, to 21. */
export function contrastOf(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

export function toOklch(color: Color): Oklch {
  const [r = 0, g = 0, b = 0] = channelsOf(color).map(toLinear)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const yellow = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, yellow),
    h: Math.atan2(yellow, a),
  }
}

function linearOf({ l, c, h }: Oklch): number[] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const ROUNDING = 0.0005
const isShowable = (color: Oklch) => linearOf(color).every((light) => light >= -ROUNDING && light <= 1 + ROUNDING)

/** The nearest colour that screens show: same lightness and hue, with less chroma if there is no such colour. */
export function fromOklch(color: Oklch): Color {
  const l = Math.min(Math.max(color.l, 0), 1)
  let [least, most] = [0, color.c]
  if (isShowable({ ...color, l })) least = most
  for (let step = 0; step < 12 && least < most; step++) {
    const c = (least + most) / 2
    if (isShowable({ ...color, l, c })) least = c
    else most = c
  }
  const channels = linearOf({ ...color, l, c: least }).map((light) => fromLinear(Math.min(Math.max(light, 0), 1)))
  return `#${channels
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
