// The table of servers: one click selects all servers of the page, and a click with the Shift key all between two.
import { readPage } from './live.ts'

const { locale } = readPage<unknown, 'admin'>()
const boxes = [...document.querySelectorAll<HTMLInputElement>('input[name="selected"]')]
const all = document.querySelector<HTMLInputElement>('#select-all')
const said = document.querySelector('#selected')
let last: HTMLInputElement | undefined

function show(): void {
  const n = boxes.filter(({ checked }) => checked).length
  if (all) {
    all.checked = n === boxes.length
    all.indeterminate = n > 0 && n < boxes.length
  }
  if (said) said.textContent = n > 0 ? locale.say(locale.t.admin.servers.selected, { n }) : ''
}

if (all) {
  all.hidden = false
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    show()
  })
}

// The space bar clicks too, also with the Shift key.
for (const box of boxes)
  box.addEventListener('click', ({ shiftKey }) => {
    if (shiftKey && last) {
      const [from = 0, to = 0] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b)
      for (const between of boxes.slice(from, to + 1)) between.checked = box.checked
    }
    last = box
    show()
  })

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** The arrow keys go from row to row. */
document.addEventListener('keydown', (event) => {
  const step = STEPS[event.key]
  const place = boxes.indexOf(event.target as HTMLInputElement)
  if (!step || place === -1) return
  event.preventDefault()
  boxes[place + step]?.focus()
})

show() // a browser may restore the selection
