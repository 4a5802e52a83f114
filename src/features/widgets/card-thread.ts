// A thread of the API process that turns drawings into PNG images, which takes 80 ms each.
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'

/** Latin, Greek and Cyrillic letters, of the SIL Open Font License. What they lack is drawn as a box. */
const FONTS = ['400Regular/NotoSans_400Regular.ttf', '700Bold/NotoSans_700Bold.ttf'].map((file) =>
  fileURLToPath(new URL(`../../../node_modules/@expo-google-fonts/noto-sans/${file}`, import.meta.url)),
)

parentPort?.on('message', (svg: string) => {
  const font = { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'Noto Sans' }
  parentPort?.postMessage(new Resvg(svg, { font }).render().asPng())
})
