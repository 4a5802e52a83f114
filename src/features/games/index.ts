// Games: the types of servers that can be listed.
export { gameName, typedNames } from './game-names.ts'
export {
  explainInvalidGame,
  findTypesByName,
  GAME_TYPE,
  isGameType,
  isNameOfType,
  nearestTypes,
  refusalReason,
  shortFormsOf,
  similarGames,
  usualGamePort,
  usualPort,
  usualQueryPort,
} from './game-types.ts'
export { gamesOperations } from './games.operations.ts'
export { games } from './games.ts'
export { connectAddressOf, hasJoinLink, hasUsualPort, joinRequirement, joinUrlOf } from './join.ts'
export {
  type GameHints,
  gameOfAnswer,
  isQueriedAtGamePort,
  type LikelyTarget,
  likelyTargets,
  MAX_LIKELY_TARGETS,
} from './likely-games.ts'
export { ignoresCase, isPlatformId, NOT_A_PLATFORM_ID, nameKey, platformIdKey } from './player-keys.ts'
export { gameOfSlug, gamePath } from './slugs.ts'
export { srvServiceOf } from './srv.ts'
export { STEAM_APPS } from './steam-apps.ts'
