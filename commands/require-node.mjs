// Preloaded by every npm script and process: an older Node must not run the product silently (the npm package `node`
// brings 24).
import module from 'node:module'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Node 24 is needed and this is ${process.version}: run \`npm ci\` first, then start through npm (\`npm start\`, \`npm test\`).`,
  )
  process.exit(1)
}

// Caches stripped and compiled TypeScript, which saves a third of a second from the second start on.
module.enableCompileCache()
