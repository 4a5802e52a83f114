// Renders the Markdown of the OpenAPI document: paragraphs, headings, tables, `code`, **strong** and [links](…).
import { type Content, html } from '../components/html.ts'

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/
const LINK = /^\[([^\]]+)\]\(((?:https?:|\/|#)[^)]*)\)$/

/** Text of one line. */
export const inline = (text: string): Content => text.split(INLINE).map(inlinePart)

function inlinePart(part: string): Content {
  if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
  if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`
  const [, name, href] = LINK.exec(part) ?? []
  return href ? html`<a href=${href}>${name}</a>` : part
}

export const markdown = (text: string): Content => text.split('\n\n').map(block)

function block(text: string): Content {
  if (text.startsWith('## ')) return html`<h2 id=${anchor(text.slice(3))}>${inline(text.slice(3))}</h2>`
  if (!text.startsWith('|')) return html`<p>${inline(text)}</p>`
  const [head = '', , ...rows] = text.split('\n')
  const cells = (row: string) => row.slice(1, -1).split('|')
  return html`
    <div class="table-wrap" tabindex="0" role="region" aria-label=${cells(head).join(',')}>
      <table>
        <thead><tr>${cells(head).map((cell) => html`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  `
}

const anchor = (heading: string) => heading.toLowerCase().replace(/\W+/g, '-')
