// Logos and banners of the demo's communities, drawn from their look: SVG, and PNG as owners upload it.
import { Resvg } from '@resvg/resvg-js'
import { seededRandom } from '../simulator/fleet.ts'
import type { Emblem, Look } from './communities.ts'
import { sceneOf } from './scenes.ts'

const LOGO = 256
const BANNER = { width: 1200, height: 300 }

/** Filled shapes in a square of 100. */
const SYMBOLS: Record<Emblem, string> = {
  anchor: `<path d="M46 26v12H32v9h14v30c-12-2-20-9-22-19l7 2-12-17-9 19 7-1c3 18 16 29 33 29s30-11 33-29l7 1-9-19-12 17 7-2c-2 10-10 17-22 19V47h14v-9H54V26z"/>
    <path d="M50 6a12 12 0 1 0 0 24 12 12 0 0 0 0-24zm0 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z" fill-rule="evenodd"/>`,
  bolt: '<path d="M60 4 20 56h24l-6 40 42-54H54z"/>',
  compass: `<path d="M50 6a44 44 0 1 0 0 88 44 44 0 0 0 0-88zm0 9a35 35 0 1 1 0 70 35 35 0 0 1 0-70z" fill-rule="evenodd"/>
    <path d="M72 28 57 57 28 72l15-29z"/>`,
  crown: '<path d="M12 34 30 52 50 18l20 34 18-18-7 42H19zM19 82h62v8H19z"/>',
  flame:
    '<path d="M52 4c4 18 28 28 28 54 0 20-14 36-31 36S20 79 20 60c0-14 9-22 13-34 6 6 9 12 10 20 8-11 11-26 9-42z"/>',
  gear: `<path d="${gear()}" fill-rule="evenodd"/>`,
  gem: '<path d="M28 14h44l20 24-42 50L8 38z"/><path d="M28 14 38 38 50 88M72 14 62 38 50 88M8 38h84M28 14l22 24 22-24" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="3"/>',
  leaf: '<path d="M86 10C42 10 14 28 14 60c0 9 3 16 7 21C30 62 44 46 64 36 46 50 33 66 26 92h8c2-5 4-9 6-13 34 4 48-26 46-69z"/>',
  moon: '<path d="M66 10a42 42 0 1 0 24 58A36 36 0 0 1 66 10z"/><path d="m78 22 3 9 9 3-9 3-3 9-3-9-9-3 9-3z"/>',
  paw: `<ellipse cx="50" cy="66" rx="24" ry="20"/><ellipse cx="18" cy="46" rx="10" ry="13"/><ellipse cx="38" cy="24" rx="10" ry="14"/>
    <ellipse cx="62" cy="24" rx="10" ry="14"/><ellipse cx="82" cy="46" rx="10" ry="13"/>`,
  peaks:
    '<path d="M4 82 38 20l18 32 10-16 30 46z"/><path d="m38 20 12 22-8-4-5 8-6-7-5 3zM66 36l9 14-7-3-4 4-5-5z" fill="#000" fill-opacity=".25"/>',
  star: '<path d="m50 6 13 29 31 3-23 21 6 31-27-16-27 16 6-31L6 38l31-3z"/>',
  swords: `<path d="m12 10 4 14 46 46-7 7 6 6 8-8 11 11 8-8-11-11 8-8-6-6-7 7-46-46z"/>
    <path d="m88 10-4 14-46 46 7 7-6 6-8-8-11 11-8-8 11-11-8-8 6-6 7 7 46-46z" fill-opacity=".8"/>`,
  tower:
    '<path d="M22 10h14v10h8V10h12v10h8V10h14v26l-8 8v42h10v8H20v-8h10V44l-8-8zM44 62v24h12V62a6 6 0 0 0-12 0z" fill-rule="evenodd"/>',
  tree: '<path d="M50 4 76 36H64l20 24H68l20 22H56v14H44V82H12l20-22H16l20-24H24z"/>',
  wave: '<path d="M4 66c10 0 12-46 46-46 24 0 36 16 36 32-6-10-16-14-24-10-10 6-6 20 4 24h30v20H4z"/><path d="M4 78h92v14H4z" fill-opacity=".6"/>',
}

function gear(): string {
  const teeth = Array.from({ length: 40 }, (_, n) => {
    const radius = n % 5 < 2 ? 45 : 34
    const angle = (Math.PI * 2 * n) / 40
    return `${(50 + radius * Math.cos(angle)).toFixed(1)} ${(50 + radius * Math.sin(angle)).toFixed(1)}`
  })
  return `M${teeth.join('L')}zM50 36a14 14 0 1 0 0 28 14 14 0 0 0 0-28z`
}

/** What a symbol stands on; chosen by the hue. */
const GROUNDS = [
  '<rect x="8" y="8" width="240" height="240" rx="56"/>',
  '<circle cx="128" cy="128" r="122"/>',
  '<path d="M128 4 244 66v124l-116 62L12 190V66z" stroke-linejoin="round"/>',
  '<path d="M128 6 236 40v92c0 62-46 100-108 120C66 232 20 194 20 132V40z"/>',
]

export function drawLogo({ symbol, hue }: Look): string {
  const ground = GROUNDS[hue % GROUNDS.length]
  const at = (scale: number) => `translate(${128 - 50 * scale} ${130 - 50 * scale}) scale(${scale})`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LOGO} ${LOGO}">
    <defs><linearGradient id="ground" x1="0" y1="0" x2=".5" y2="1">
      <stop offset="0" stop-color="hsl(${hue}, 70%, 56%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360}, 72%, 24%)"/>
    </linearGradient></defs>
    <g fill="url(#ground)" stroke="hsl(${hue}, 60%, 82%)" stroke-width="6">${ground}</g>
    <g transform="translate(4 7) ${at(1.4)}" fill="#000" fill-opacity=".35">${SYMBOLS[symbol]}</g>
    <g transform="${at(1.4)}" fill="hsl(${hue}, 45%, 96%)">${SYMBOLS[symbol]}</g>
  </svg>`
}

export function drawBanner({ symbol, hue, scene }: Look): string {
  const { width, height } = BANNER
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
    ${sceneOf(scene, { ...BANNER, hue, random: seededRandom(hue * 31 + symbol.length) })}
    <g transform="translate(84 84) scale(1.32)" fill="#fff" fill-opacity=".92">${SYMBOLS[symbol]}</g>
  </svg>`
}

/** @param width in pixels */
export const renderPng = (svg: string, width: number): Buffer =>
  new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render().asPng()
