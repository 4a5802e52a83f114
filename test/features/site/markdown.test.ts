// Descriptions in Markdown: what reaches a page, and what it costs at most.
import { describe, expect, it } from 'vitest'
import { htmlOf, plainTextOf } from '../../../src/features/site/markdown.ts'
import { growthOf } from '../../support/cpu-time.ts'

const LONGEST = 2_000

describe('a description', () => {
  it.each([
    ['**bold** and *thin*', '<p><strong>bold</strong> and <em>thin</em></p>'],
    ['one\ntwo', '<p>one<br>\ntwo</p>'],
    ['# Rules', '<h3>Rules</h3>'],
    ['###### Small', '<h3>Small</h3>'],
    ['## One\n\n#### Two', '<h3>One</h3>\n<h4>Two</h4>'],
    ['<b onclick=alert(1)>x</b>', '<p>&lt;b onclick=alert(1)&gt;x&lt;/b&gt;</p>'],
    ['[a](https://example.org "t")', '<a href="https://example.org" title="t" rel="ugc nofollow noopener">a</a>'],
    ['https://example.org/x', '<a href="https://example.org/x" rel="ugc nofollow noopener">https://example.org/x</a>'],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](data:text/html,x)', '<p>[a](data:text/html,x)</p>'],
    ['[a](/logout)', '<p>[a](/logout)</p>'],
    ['join play.example.org', '<p>join play.example.org</p>'],
  ])('%s', (text, html) => expect(htmlOf(text)).toContain(html))

  it('has no images, and no markup that a short text makes long', () => {
    expect(htmlOf('![i](https://example.org/i.png)')).not.toContain('<img')
    expect(htmlOf('|a|b|\n|-|-|\n|1|2|')).not.toContain('<table')
    expect(htmlOf(`[r]: https://example.org/${'x'.repeat(900)}\n\n[r][r][r]`).length).toBeLessThan(LONGEST * 2)
  })

  it('in one line has no signs of Markdown', () => {
    expect(plainTextOf('# Hi\n**x** <b> [b](https://x.y)\nnext\n\n- one\n- `two`')).toBe('Hi x <b> b next one two')
  })

  it.each([
    '>',
    '> ',
    '- ',
    '*a',
    '*a\n',
    '**a',
    '`',
    '[',
    '[a](http://b)',
    '[~',
    'http://a ',
    '*>',
    '[https://a.b?',
    '#a\n',
  ])('of the greatest length that repeats %j is short HTML, and soon made', (part) => {
    const textOf = (length: number) => part.repeat(length).slice(0, length)
    expect(htmlOf(textOf(LONGEST)).length).toBeLessThan(10 * LONGEST)
    expect(growthOf((length) => htmlOf(textOf(length)), LONGEST / 4)).toBeLessThan(9)
  })
})
