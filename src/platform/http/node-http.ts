// What the product uses of node:http. An `import` of that module reads each of its exports, and so loads the client behind `fetch` and
// `WebSocket`: 14 MB and 0.09 s of CPU time in every API process, which uses neither.
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
