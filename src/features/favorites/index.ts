// Favorites: servers that a user keeps at hand.
export { favoritesOperations } from './favorites.operations.ts'
