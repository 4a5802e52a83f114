// Favorites: servers that a user has marked.
export { favoritesOperations } from './favorites.operations.ts'
export { personalData } from './personal-data.ts'
