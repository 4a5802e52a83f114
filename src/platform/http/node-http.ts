// What the product uses of node:http. An `import` of that module reads each of its exports, and so loads the client
// behind `fetch` and `WebSocket`: 2.4 MB and 0.04 s of CPU time in every API process, which uses neither.
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http')
