// Names of the browser and the system in a User-Agent header, as people call them. Only these names are
// stored, never the header.

/** No browser's header is longer. */
const MAX_LENGTH = 500

/** The first that matches: browsers name those that they descend from, too. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

/** Android names Linux, ChromeOS names X11, and iPhones and iPads name Mac OS X. */
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPod)\b/],
  ['iPadOS', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\b(?:Macintosh|Mac OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
]

/** @returns empty names for what is unknown, such as programs */
export function readUserAgent(header = ''): { browser: string; system: string } {
  const text = header.slice(0, MAX_LENGTH)
  const nameIn = (names: typeof BROWSERS) => names.find(([, pattern]) => pattern.test(text))?.[0] ?? ''
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) }
}
