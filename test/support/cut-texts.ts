// What a page cuts: texts that their box clips, fields too narrow for their value, menus that must be scrolled,
// and words of programs.
import type { Page } from 'playwright-core'

/** What the page at this width cuts, as sentences. Names that users chose (`dir="auto"`) may end with an ellipsis. */
export const cutTextsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(CUT)

const CUT = `(() => {
  const faults = new Set()
  const root = document.documentElement
  const wider = root.scrollWidth - root.clientWidth
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const nameOf = (element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : '')
  const widest = [...document.querySelectorAll('main *, header *, footer *')].findLast(
    (element) => element.getBoundingClientRect().right > root.clientWidth + 1 && shown(element))
  if (wider > 0) faults.add('the page is ' + wider + ' px wider than the window, by ' + nameOf(widest ?? root) + ' “' + widest?.textContent + '”')
  const cuts = (element) => {
    const { overflowX } = getComputedStyle(element)
    return overflowX === 'hidden' || overflowX === 'clip' || (overflowX !== 'visible' && element.matches('nav, .tabs'))
  }
  const isLeftOut = '.visually-hidden, .skip, [aria-hidden=true], script, style, [dir=auto], .account, text, option'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || !shown(element) || element.closest(isLeftOut)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()]
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (!cuts(at)) continue
      const { left, right } = at.getBoundingClientRect()
      if (boxes.some((box) => box.right > right + 1 || box.left < left - 1))
        faults.add('“' + node.data.trim().slice(0, 60) + '” is cut by ' + nameOf(at))
    }
    const isProse = !element.closest('code, pre, textarea, .docs, .reference')
    const word = isProse && /(?<![{\\w])([a-z]+[A-Z][a-z]\\w*|[a-z]+_[a-z_]+|(GET|POST|PUT|PATCH|DELETE) \\/\\S+)/.exec(node.data)
    if (word) faults.add('the text “' + node.data.trim().slice(0, 80) + '” has a word of programs')
  }
  const measure = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), select')) {
    if (!shown(field) || field.closest('.visually-hidden')) continue
    const style = getComputedStyle(field)
    const value = field.matches('select') ? field.selectedOptions[0]?.textContent ?? '' : field.value || field.placeholder
    if (!field.matches('select') && !/^[\\d.,:-]+$/.test(value)) continue
    measure.font = style.font
    const inner = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (measure.measureText(value).width > inner + 1) faults.add('the field ' + field.name + ' is too narrow for “' + value + '”')
  }
  return [...faults]
})()`
