// How tests start programs of the product.

/** As npm's scripts do: without its cache of compiled TypeScript a start takes twice the CPU time. */
export const NODE_ARGS = ['--import', new URL('../../commands/require-node.mjs', import.meta.url).href]
