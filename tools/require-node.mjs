// Loaded first by every npm script: an older Node must not run the product silently (the npm package `node` brings 24).
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Node 24 is needed and this is ${process.version}: run \`npm ci\` first, then start through npm (\`npm start\`, \`npm test\`).`,
  )
  process.exit(1)
}
