// The promises of the API. acceptance.test.ts fails for a row without a test.

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
  'vote result': ['success', 'message', 'webhookSent', 'nextVoteAt'],
  'vote cooldown': ['error', 'cooldownRemaining', 'nextVoteAt', 'message'],
  'vote status': ['canVote', 'cooldownRemaining'],
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
    'as /api/v1/servers with an API key',
  ],
  'favorites and user': [
    'POST /api/servers/:id/favorite',
    'DELETE /api/servers/:id/favorite',
    'GET /api/user/profile',
    'GET /api/user/favorites',
    'GET /api/user/servers',
    'GET /api/user/api-keys',
    'POST /api/user/api-keys',
  ],
  'server management': ['POST /api/servers', 'PATCH /api/servers/:id', 'DELETE /api/servers/:id'],
  'billing and auctions': [
    'POST /api/billing/checkout',
    'GET /api/auctions status',
    'GET /api/auctions tier',
    'POST /api/auctions/:id/bid',
  ],
  'server features': [
    'claim',
    'compare',
    'featured',
    'mods',
    'notifications',
    'player-history',
    'rcon',
    'reports',
    'widgets',
    'wipe-history',
  ],
  'user management': [
    'PATCH /api/user/profile',
    '/api/user/subscription',
    '/api/user/notification-preferences',
    '/api/user/unlink/chat',
    '/api/user/unlink/gameplatform',
  ],
  'ad placements': ['GET /api/ad-placements', 'GET /api/ad-placements/:location'],
  administration: ['/api/admin/servers', '/api/admin/users', '/api/admin/stats', '/api/admin/ad-slots'],
  utilities: ['POST /api/contact', 'GET /api/servers/suggestions'],

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
    'owner or admin for PATCH and DELETE',
    'admin for administration',
    'isAdmin marks administrators',
  ],

  // Events
  events: ['webhookSent tells whether a webhook was sent'],

  // Statuses
  statuses: ['200', '201', '400', '401', '403', '404', '429', '500', '503'],
  retries: ['503 is not an empty result', '429 is retried with backoff'],

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
  ],

  // Versioning
  versioning: ['/api/v1', 'the machine-readable description', 'version of a server is the game server’s'],
} as const

export type Section = keyof typeof ROWS
export type RowOf<S extends Section> = (typeof ROWS)[S][number]
