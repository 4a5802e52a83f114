// Owners' descriptions and the site's introduction in Markdown, as HTML that is safe on a page and as plain text.
import MarkdownIt from 'markdown-it'

/** Maximum depth of lists in quotes in lists…: deeper ones are displayed as typed. */
const MAX_NESTING = 20
/** The level of a description's highest heading: below the heading of its card. */
const HIGHEST_HEADING = 3
const HEADING = /^h[1-6]$/
const LINK = /^(https?:\/\/|mailto:)/i

const markdown = new MarkdownIt({ breaks: true, linkify: true, maxNesting: MAX_NESTING })
  // Images would be loaded from other sites. A short table or reference can become very long HTML.
  .disable(['image', 'table', 'reference'])
markdown.validateLink = (address) => LINK.test(address)
// `play.example.org` is the address of a game server, and not a website.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

interface Place {
  /** What the highest heading of the text becomes. */
  highestHeading?: number
}

markdown.core.ruler.push('site', ({ tokens, env }) => {
  const { highestHeading = HIGHEST_HEADING } = env as Place
  // The levels of headings in a text are renumbered without gaps, regardless of which ones it uses.
  const levels = [...new Set(tokens.flatMap(({ tag }) => (HEADING.test(tag) ? [tag] : [])))].sort()
  for (const token of tokens) {
    if (HEADING.test(token.tag)) token.tag = `h${Math.min(levels.indexOf(token.tag) + highestHeading, 6)}`
    for (const { type, attrs } of token.children ?? [])
      if (type === 'link_open') attrs?.push(['rel', 'ugc nofollow noopener'])
  }
})

/** @param text a text of an owner or administrator, at most as long as a description */
export const htmlOf = (text: string, place: Place = {}): string => markdown.render(text, { ...place })

/** The plain text of Markdown, in one line. */
export function plainTextOf(text: string): string {
  const words = markdown
    .parse(text, {})
    .map(({ type, content, children }) =>
      type === 'inline'
        ? (children ?? []).map((part) => (part.type.endsWith('break') ? ' ' : part.content)).join('')
        : content,
    )
  return words.join(' ').replace(/\s+/g, ' ').trim()
}
