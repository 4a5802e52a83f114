// English: the page of a server.
export const server = {
  vote: 'Vote',
}
