// The frame of the pages that mails and payments lead to: one card with a title.
import { PRODUCT_NAME } from '../product.ts'

export interface CardPage {
  title: string
  /** File with the HTML of the card, below its heading. */
  content: URL
  /** Path of its script. */
  script: `/${string}`
}

/** @param content trusted HTML */
export const renderCardPage = ({ title, script }: CardPage, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${PRODUCT_NAME}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/pages/page.css">
<script type="module" src="${script}"></script>
</head>
<body>
<header><a href="/"><img src="/favicon.svg" alt="" width="24" height="24">${PRODUCT_NAME}</a></header>
<main>
<h1>${title}</h1>
${content.trim()}
<p role="status"></p>
<noscript><p>This page needs scripts.</p></noscript>
</main>
<footer><a href="/docs">API reference</a></footer>
</body>
</html>
`
