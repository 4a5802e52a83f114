// Listings: how owners add, change and remove their servers.
export { listingsOperations } from './listings.operations.ts'
export { refuseListings, requireListingsLeft } from './listings.service.ts'
export { recognitionOperations } from './recognition.operations.ts'
export { ServerRecognition } from './recognition.schema.ts'
