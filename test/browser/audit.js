// Runs inside a page and finds what a person can't read, reach or tell apart. Its value is a list of sentences.
;(async () => {
  const nextFrame = () => new Promise(requestAnimationFrame)
  await nextFrame().then(nextFrame)
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
  await Promise.allSettled(moving.map(({ finished }) => finished))

  const faults = new Map()
  const fault = (sentence, key = sentence) => faults.set(key, sentence)
  const root = document.body
  const nameOf = (element) => {
    const words = (
      element.getAttribute('aria-label') ||
      element.textContent ||
      element.getAttribute('name') ||
      ''
    ).trim()
    return `<${element.tagName.toLowerCase()}> “${words.replace(/\s+/g, ' ').slice(0, 40)}”`
  }
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest('[aria-hidden="true"], script, style, noscript, title')

  const parse = (color) => {
    const [r = 0, g = 0, b = 0, a = 1] = (/rgba?\(([^)]+)\)/.exec(color)?.[1] ?? '').split(/[ ,/]+/).map(Number)
    return /^rgba?\(/.test(color) ? { r, g, b, a } : undefined
  }
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  })
  const canvas = matchMedia('(prefers-color-scheme: dark)').matches
  const ground = /dark/.test(getComputedStyle(document.documentElement).colorScheme) && canvas
  const CANVAS = ground ? { r: 18, g: 18, b: 18, a: 1 } : { r: 255, g: 255, b: 255, a: 1 }

  /** The background of an element; undefined for an image. */
  function backgroundOf(element) {
    const layers = []
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none' && at.tagName !== 'SELECT') return undefined
      const color = parse(style.backgroundColor)
      if (!color) return undefined
      if (color.a > 0) layers.push(color)
      if (color.a === 1) break
    }
    return layers.reverse().reduce((below, top) => over(top, below), CANVAS)
  }
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  // WCAG 2.2, 1.4.3: 4.5, or 3 for text from 24 px, bold from 18.66 px.
  function checkContrast(element, part) {
    const style = getComputedStyle(element, part)
    if (element.closest(':disabled, [aria-disabled="true"]')) return
    const color = parse(style.color)
    const behind = backgroundOf(element)
    if (!color || !behind) return
    let opacity = 1
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity)
    const [light, dark] = [luminance(over({ ...color, a: color.a * opacity }, behind)), luminance(behind)].sort(
      (a, b) => b - a,
    )
    const ratio = (light + 0.05) / (dark + 0.05)
    const size = Number.parseFloat(style.fontSize)
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
    if (ratio >= needed) return
    const colors = `${style.color} on ${Object.values(behind).slice(0, 3).map(Math.round)}`
    fault(`contrast ${ratio.toFixed(2)} of ${nameOf(element)}: ${colors}`, colors)
  }

  if (!document.documentElement.lang) fault('no language is given')
  if (!document.title) fault('no title')
  if (!document.querySelector('meta[name=viewport]')) fault('no viewport is given')
  const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (wider > 0) fault(`the page is ${wider} px wider than the window`)

  /** The visible part of a box, which scrolling or clipping ancestors cut. */
  function seen(element, box) {
    let { left, right, top, bottom } = box
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (!/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflow)) continue
      const edge = at.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      top = Math.max(top, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { left, right, top, bottom }
  }
  const isSeen = ({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1

  // Also connections that the policy ignores, like `preconnect`.
  for (const element of document.querySelectorAll('link[href], script[src], img[src], iframe[src]')) {
    const address = new URL(element.href || element.src)
    if (address.protocol.startsWith('http') && address.origin !== location.origin) fault(`leads outside: ${address}`)
  }

  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || !element || !isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()].map((box) => seen(element, box)).filter(isSeen)
    if (!boxes.length) continue
    checkContrast(element)
    texts.push(...boxes.map((box) => ({ element, box })))
  }

  const controls = [...root.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button]')]
    .filter((element) => element.type !== 'hidden' && isShown(element))
    .map((element) => ({ element, box: seen(element, element.getBoundingClientRect()) }))
    .filter(({ box }) => isSeen(box))
  for (const { element } of controls) {
    // Neither what is typed nor a placeholder is a text node.
    if (element.matches('input, textarea, select')) checkContrast(element)
    if (element.placeholder) checkContrast(element, '::placeholder')
    const label =
      element.labels?.[0]?.textContent ||
      element.getAttribute('aria-label') ||
      element.title ||
      element.textContent ||
      element.placeholder
    const labelledBy = element.getAttribute('aria-labelledby')
    if (!label?.trim() && !labelledBy && !element.querySelector('img[alt]'))
      fault(`no name: ${element.outerHTML.slice(0, 120)}`)
  }
  /** Lines of a text touch; overlaps of more than their leading are printed over each other. */
  const meets = (a, b, by) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > by &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by
  const related = (a, b) => a === b || a.contains(b) || b.contains(a)
  const pairs = (list, by) =>
    list.forEach((one, n) => {
      for (const other of list.slice(n + 1))
        if (meets(one.box, other.box, by) && !related(one.element, other.element))
          fault(`${nameOf(one.element)} overlaps ${nameOf(other.element)}`)
    })
  pairs(controls, 1)
  pairs(texts, 4)
  return [...faults.values()]
})()
