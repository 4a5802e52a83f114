// Landscapes for the banners of the demo's communities, as SVG.
import type { Scene } from './communities.ts'

interface Canvas {
  width: number
  height: number
  /** Degrees of the colour wheel. */
  hue: number
  random: () => number
}

const hsl = (hue: number, saturation: number, lightness: number) =>
  `hsl(${((hue % 360) + 360) % 360}, ${saturation}%, ${lightness}%)`

const SCENES: Record<Scene, (canvas: Canvas) => string> = {
  aurora: (canvas) =>
    sky(canvas, [8, 20]) +
    stars(canvas, 90) +
    curtains(canvas) +
    layers(canvas, { count: 2, rough: 46, from: 0.72, light: [30, 12] }),
  city: (canvas) =>
    sky(canvas, [14, 46]) + disc(canvas, 0.72, 0.5, 74) + skyline(canvas, 0.5, 22) + skyline(canvas, 0.34, 11),
  dunes: (canvas) =>
    sky(canvas, [40, 78]) +
    disc(canvas, 0.66, 0.42, 48) +
    waves(canvas, { count: 4, height: 34, from: 0.52, light: [54, 22] }),
  forest: (canvas) => sky(canvas, [30, 72]) + disc(canvas, 0.6, 0.4, 56) + firs(canvas),
  ridges: (canvas) =>
    sky(canvas, [26, 76]) +
    disc(canvas, 0.7, 0.38, 42) +
    layers(canvas, { count: 4, rough: 90, from: 0.34, light: [52, 14] }),
  sea: (canvas) =>
    sky(canvas, [34, 80]) +
    disc(canvas, 0.62, 0.52, 58) +
    waves(canvas, { count: 5, height: 12, from: 0.56, light: [50, 18] }),
  space: (canvas) => sky(canvas, [5, 13]) + nebula(canvas) + stars(canvas, 160) + planet(canvas),
}

export const sceneOf = (scene: Scene, canvas: Canvas): string => SCENES[scene](canvas)

/** @param light of the top and of the horizon, in percent */
const sky = ({ width, height, hue }: Canvas, [top, horizon]: [number, number]) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="${hsl(hue, 58, top)}"/><stop offset=".75" stop-color="${hsl(hue + 32, 68, horizon)}"/>
  </linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`

/** A sun or moon, with its glow. */
const disc = ({ width, height, hue }: Canvas, x: number, y: number, radius: number) =>
  [3.2, 2.2, 1.5, 1]
    .map((times) => {
      const opacity = times === 1 ? 0.95 : 0.12
      return `<circle cx="${width * x}" cy="${height * y}" r="${radius * times}" fill="${hsl(hue + 40, 90, 90)}" fill-opacity="${opacity}"/>`
    })
    .join('')

const stars = ({ width, height, random }: Canvas, count: number) =>
  Array.from({ length: count }, () => {
    const [x, y, radius] = [random() * width, random() * height * 0.8, 0.6 + random() * 1.6]
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${radius.toFixed(1)}" fill="#fff" fill-opacity="${(0.3 + random() * 0.7).toFixed(2)}"/>`
  }).join('')

interface Layers {
  count: number
  /** Where the farthest begins, of the height. */
  from: number
  /** Of the farthest and the nearest, in percent. */
  light: [number, number]
}

const share = (n: number, count: number) => (count > 1 ? n / (count - 1) : 1)
const lightOf = ({ count, light: [far, near] }: Layers, n: number) => far + (near - far) * share(n, count)
const topOf = ({ height }: Canvas, { count, from }: Layers, n: number) =>
  height * (from + (0.9 - from) * share(n, count) * 0.8)

/** Below a line. */
const area = ({ width, height }: Canvas, points: [number, number][], fill: string) =>
  `<path d="M0 ${height}L${points.map(([x, y]) => `${x.toFixed(0)} ${y.toFixed(1)}`).join('L')}L${width} ${height}z" fill="${fill}"/>`

/** Mountains, one range before the other. */
const layers = (canvas: Canvas, range: Layers & { rough: number }) =>
  Array.from({ length: range.count }, (_, n) => {
    const steps = 48
    const phases = Array.from({ length: 4 }, () => canvas.random() * 7)
    const points = Array.from({ length: steps + 1 }, (_, step): [number, number] => {
      const angle = (step / steps) * 12
      const sum = phases.reduce(
        (total, phase, octave) => total + Math.abs(Math.sin(angle * 0.5 * (octave + 1) + phase)) / (octave + 1),
        0,
      )
      return [
        (canvas.width * step) / steps,
        topOf(canvas, range, n) - (sum - 1) * range.rough * 0.6 + canvas.random() * 7,
      ]
    })
    return area(canvas, points, hsl(canvas.hue + n * 7, 40, lightOf(range, n)))
  }).join('')

const waves = (canvas: Canvas, range: Layers & { height: number }) =>
  Array.from({ length: range.count }, (_, n) => {
    const [phase, length] = [canvas.random() * 7, 5 + canvas.random() * 5 + n]
    const points = Array.from({ length: 61 }, (_, step): [number, number] => [
      (canvas.width * step) / 60,
      topOf(canvas, range, n) + Math.sin((step / 60) * length + phase) * range.height,
    ])
    return area(canvas, points, hsl(canvas.hue + n * 6, 52, lightOf(range, n)))
  }).join('')

function firs(canvas: Canvas): string {
  const rows: Layers = { count: 4, from: 0.45, light: [46, 12] }
  return Array.from({ length: rows.count }, (_, n) => {
    const size = 34 + n * 24
    const top = topOf(canvas, rows, n)
    const points = Array.from({ length: Math.ceil(canvas.width / (size * 0.4)) + 1 }, (_, tree): [number, number][] => {
      const [x, tall] = [tree * size * 0.4, size * (0.8 + canvas.random() * 0.8)]
      return [
        [x, top + size * 0.5],
        [x + size * 0.2, top + size * 0.5 - tall],
      ]
    }).flat()
    return area(canvas, points, hsl(canvas.hue + n * 4, 38, lightOf(rows, n)))
  }).join('')
}

/** @param tall of the height */
function skyline(canvas: Canvas, tall: number, light: number): string {
  const { width, height, hue, random } = canvas
  let drawn = ''
  for (let x = -10; x < width; ) {
    const [wide, high] = [34 + random() * 56, height * tall * (0.5 + random())]
    drawn += `<rect x="${x.toFixed(0)}" y="${(height - high).toFixed(0)}" width="${wide.toFixed(0)}" height="${high.toFixed(0)}" fill="${hsl(hue + 200, 34, light)}"/>`
    for (let y = height - high + 12; y < height - 8; y += 15)
      for (let lit = x + 8; lit < x + wide - 10; lit += 13)
        if (random() < 0.3)
          drawn += `<rect x="${lit.toFixed(0)}" y="${y.toFixed(0)}" width="6" height="7" fill="${hsl(hue + 40, 90, 74)}" fill-opacity=".85"/>`
    x += wide + (random() < 0.3 ? 14 : 0)
  }
  return drawn
}

/** Curtains of light that fade upwards. */
function curtains({ width, height, hue, random }: Canvas): string {
  const curtain = (n: number) => {
    const [phase, steps] = [random() * 7, 80]
    const foot = Array.from({ length: steps + 1 }, (_, step): [number, number] => [
      width * (-0.05 + (1.1 * step) / steps),
      height * (0.5 + n * 0.06) + Math.sin((step / steps) * (7 + n * 3) + phase) * 20,
    ])
    const head = foot.map(([x, y], step): [number, number] => [x, y - 120 - 50 * Math.sin(step / 5 + phase)]).reverse()
    const outline = [...foot, ...head].map(([x, y]) => `${x.toFixed(0)} ${y.toFixed(0)}`).join('L')
    return `<path d="M${outline}z" fill="url(#curtain${n})"/>`
  }
  const gradient = (n: number) =>
    `<linearGradient id="curtain${n}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${hsl(280, 80, 60)}" stop-opacity="0"/>
    <stop offset="1" stop-color="${hsl(130 + (hue % 40) + n * 15, 85, 60)}" stop-opacity=".6"/></linearGradient>`
  return `<defs>${[0, 1, 2].map(gradient).join('')}</defs>${[0, 1, 2].map(curtain).join('')}`
}

const nebula = ({ width, height, hue, random }: Canvas) =>
  Array.from({ length: 9 }, (_, n) => {
    const [x, y] = [random() * width, random() * height]
    return [1, 0.7, 0.4]
      .map((part) => {
        const radii = `rx="${(210 * part).toFixed(0)}" ry="${(90 * part).toFixed(0)}"`
        return `<ellipse cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" ${radii} fill="${hsl(hue + n * 16, 70, 50)}" fill-opacity=".07"/>`
      })
      .join('')
  }).join('')

const planet = ({ width, height, hue }: Canvas) => {
  const [x, y] = [width * 0.78, height * 0.52]
  const ring = (half: string) =>
    `<path d="M${x - 165} ${y + 30}${half}${x + 165} ${y - 30}" fill="none" stroke="${hsl(hue + 50, 60, 78)}" stroke-opacity=".8" stroke-width="7"/>`
  return `<defs><linearGradient id="planet" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="${hsl(hue + 20, 75, 70)}"/><stop offset="1" stop-color="${hsl(hue - 30, 70, 18)}"/>
    </linearGradient></defs>
    ${ring('A168 34 -10 0 1 ')}<circle cx="${x}" cy="${y}" r="98" fill="url(#planet)"/>${ring('A168 34 -10 0 0 ')}`
}
