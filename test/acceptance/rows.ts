// The promises of the API. `test/architecture/promises.test.ts` fails for a section without tests, the type of
// `section` for a row without one.

const SUMMARY = [
  'id',
  'name',
  'ipAddress',
  'gamePort',
  'currentPlayers',
  'maxPlayers',
  'isOnline',
  'map',
  'description',
  'totalVotes',
  'createdAt',
] as const

export const ROWS = {
  // Resources
  'server summary': SUMMARY,
  'server detail': [
    'fields of the summary',
    'queryPort',
    'rates',
    'mods',
    'chatUrl',
    'website',
    'version',
    'updatedAt',
  ],
  pagination: ['page', 'limit', 'total', 'totalPages'],
  'platform statistics': ['totalServers', 'onlineServers', 'totalPlayers', 'totalVotes'],
  'vote request': ['visitorId', 'username', 'gamePlatformId'],
  'vote result': ['success', 'message', 'webhookSent', 'nextVoteAt', 'streak'],
  'vote cooldown': ['error', 'cooldownRemaining', 'nextVoteAt', 'message'],
  'vote status': ['canVote', 'cooldownRemaining', 'streak'],
  'favorite record': ['id', 'userId', 'serverId', 'createdAt'],
  'favorite server item': ['id', 'name', 'ipAddress', 'gamePort', 'currentPlayers', 'maxPlayers', 'isOnline', 'map'],
  'owned server item': ['id', 'name', 'ipAddress', 'gamePort', 'isOnline', 'totalVotes', 'monthlyVotes', 'recentVotes'],
  'user profile': [
    'id',
    'email',
    'username',
    'avatarUrl',
    'gamePlatformId',
    'chatId',
    'isAdmin',
    'createdAt',
    '_count',
  ],
  'API key': ['id', 'name', 'key', 'secret', 'tier', 'rateLimit', 'isActive', 'lastUsedAt', 'createdAt'],
  'server creation request': [
    'name',
    'description',
    'ipAddress',
    'queryPort',
    'gamePort',
    'gameMode',
    'website',
    'chatUrl',
    'region',
    'tags',
  ],
  'server update request': ['name', 'description', 'gameMode', 'website', 'chatUrl', 'bannerUrl', 'rates', 'mods'],
  'checkout session': ['sessionId', 'url'],

  // States and transitions
  'vote cooldown transitions': ['can vote → cooling down', 'cooling down → cooling down', 'cooling down → can vote'],
  'auction status': ['active', 'completed', 'canceled'],
  'online flag': ['true', 'false'],

  // Endpoints
  'GET /api/public/servers': ['page', 'limit', 'search', 'map', 'response'],
  'GET /api/public/servers/:id': ['response', 'unknown id'],
  'GET /api/public/stats': ['response'],
  'POST /api/servers/:id/vote': ['success', 'cooldown'],
  'GET /api/servers/:id/vote': ['visitorId', 'response'],
  'votes of programs': [
    'GET /api/servers/:id/vote/challenge',
    'votes with a proof of work',
    'votes of an owner’s program',
    'GET /api/servers/:id/votes',
    'votes per address',
  ],
  'GET /api/servers': [
    'gameMode',
    'map',
    'region',
    'tags',
    'onlineOnly',
    'justWiped',
    'minMultiplier',
    'maxMultiplier',
    'sortBy totalVotes',
    'sortBy monthlyVotes',
    'sortBy currentPlayers',
    'sortBy createdAt',
    'sortOrder',
    'limit',
    'cursor',
    'fields',
    'playersByHour',
    'q',
    'as /api/v1/servers with an API key',
    'game',
    'country',
    'slots and life',
    'further orders',
    'isFeatured',
  ],
  'GET /api/servers/facets': ['response'],
  'GET /api/games': ['response', 'a wrong game'],
  'live data': ['POST /api/v1/servers/lookup', 'GET /api/v1/servers/changes', 'GET /api/v1/servers/stream', 'Link'],
  'favorites and user': [
    'POST /api/servers/:id/favorite',
    'DELETE /api/servers/:id/favorite',
    'GET /api/user/profile',
    'GET /api/user/favorites',
    'GET /api/user/servers',
    'GET /api/user/api-keys',
    'POST /api/user/api-keys',
  ],
  'server management': [
    'POST /api/servers',
    'POST /api/servers/probe',
    'GET /api/servers/:id/listing',
    'PATCH /api/servers/:id',
    'PATCH of the address',
    'DELETE /api/servers/:id',
  ],
  'billing and auctions': [
    'POST /api/billing/checkout',
    'GET /api/auctions status',
    'GET /api/auctions tier',
    'POST /api/auctions/:id/bid',
    'GET /api/billing/checkout/:sessionId',
    'GET /api/user/auctions',
    'bids are voided',
  ],
  'server features': [
    'claim',
    'takeover',
    'compare',
    'endpoints',
    'endpoints of other kinds',
    'redelivery',
    'featured',
    'mods',
    'notifications',
    'player-history',
    'rcon',
    'reports',
    'widgets',
    'vote-key',
    'vote-rewards',
    'wipe-history',
  ],
  'user management': [
    'PATCH /api/user/profile',
    'POST /api/user/password',
    '/api/user/subscription',
    'tiers',
    '/api/user/notification-preferences',
    '/api/user/unlink/chat',
    '/api/user/unlink/gameplatform',
    'DELETE /api/user/sessions',
    'DELETE /api/user',
  ],
  'ad placements': ['GET /api/ad-placements', 'GET /api/ad-placements/:location'],
  administration: [
    '/api/admin/servers',
    '/api/admin/users',
    '/api/admin/stats',
    'polling and workers',
    'search by id',
    '/api/admin/ad-slots',
  ],
  utilities: ['POST /api/contact', 'GET /api/servers/suggestions', 'GET /api/stats'],

  // Authentication
  authentication: [
    'none',
    'session by e-mail and password',
    'session by the chat platform',
    'session by the game platform',
    'the session is kept',
    'protected without authentication',
    'API key is shown once',
    'API key is revoked',
    'Authorization: Bearer <API_KEY>.<SECRET>',
    'API keys below /api/auth',
    'GET /api/auth/methods',
    'POST /api/auth/verify-email',
    'POST /api/auth/password-reset',
    'owner or admin for PATCH and DELETE',
    'admin for administration',
    'isAdmin marks administrators',
  ],

  // Mails
  'notification mails': ['link', 'one click'],

  // Events
  events: ['webhookSent tells whether a webhook was sent'],

  // Statuses
  statuses: ['200', '201', '400', '401', '403', '404', '429', '500', '503'],
  retries: ['503 is not an empty result', '429 is retried with backoff'],

  // Rank and faces
  'rank and seasons': [
    'sortBy score',
    'GET /api/servers/:id/rank',
    'GET /api/standings',
    'GET /api/servers/:id/standings',
  ],
  faces: ['PUT /api/servers/:id/logo', 'cards', '/api/admin/appearance'],

  // A directory that fills itself
  'servers without owners': ['POST /api/announce', 'claim', 'opt-out'],

  // Players come back, owners work together
  'coming back': ['/vote/:id', 'streak', 'mail reminder', 'alerts', 'wipeSchedule'],
  teams: ['members', 'hand-over', 'scopes', 'activity'],

  // Votes and accounts that an operator can defend
  moderation: ['moderators', 'votes are voided and restored', 'findings'],
  'defended accounts': ['second factor', 'sessions', 'GET /api/user/data'],

  // The site
  site: ['list', 'server', 'further pages', 'login', 'crawlers', 'not found', 'SITE=off'],

  // Limits
  limits: [
    'requests per IP and minute',
    'requests per IP and hour',
    'vote cooldown',
    'contact form',
    'API key tier free',
    'API key tier standard',
    'API key tier premium',
    'API key tier enterprise',
    'public page size',
    'owner page size',
    'visitorId length',
    'bid',
    'listings per account',
    'depth of a body',
  ],

  // Versioning
  versioning: ['/api/v1', 'the machine-readable description', 'version of a server is the game server’s'],
} as const

export type Section = keyof typeof ROWS
export type RowOf<S extends Section> = (typeof ROWS)[S][number]
