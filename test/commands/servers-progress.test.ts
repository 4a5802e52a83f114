// The progress display of an import.
import { expect, test } from 'vitest'
import { createProgress } from '../../commands/servers/progress.ts'

function screen(isTTY: boolean) {
  let now = 0
  const written: string[] = []
  const progress = createProgress({ isTTY, write: (text: string) => written.push(text) > 0 }, () => now)
  return {
    progress,
    pass: (ms: number) => {
      now += ms
    },
    taken: () => written.splice(0).join(''),
  }
}

test('a terminal shows one bar that is redrawn at most ten times a second, below the messages', () => {
  const { progress, pass, taken } = screen(true)
  progress.show({ added: 1_500, refused: 2 }, 0.5)
  const bar = `${'█'.repeat(15)}${'░'.repeat(15)}  50 %  1,500 added, 2 refused`
  expect(taken()).toBe(bar)
  progress.show({ added: 1_600, refused: 2 }, 0.6)
  expect(taken()).toBe('')
  progress.note('line 7: wrong')
  expect(taken()).toBe(`\r\u001b[Kline 7: wrong\n${bar}`)
  pass(100)
  progress.show({ added: 3_000, refused: 2 }, 1)
  expect(taken()).toBe(`\r\u001b[K${'█'.repeat(30)} 100 %  3,000 added, 2 refused`)
  progress.end()
  expect(taken()).toBe('\r\u001b[K')
  progress.note('after')
  expect(taken()).toBe('after\n')
})

test('other outputs get a line every ten thousand rows', () => {
  const { progress, taken } = screen(false)
  for (let rows = 1_000; rows <= 25_000; rows += 1_000) progress.show({ added: rows - 1, refused: 1 }, rows / 25_000)
  progress.note('line 7: wrong')
  progress.end()
  expect(taken()).toBe('40 %: 9,999 added, 1 refused\n80 %: 19,999 added, 1 refused\nline 7: wrong\n')
})
