// The features' boundaries (docs/ARCHITECTURE.md): one way only, through public APIs only, without circles.
const feature = '^src/features/([^/]+)/'
/** The folders of src/platform from the lowest: each imports only those before it, so they form no circles. */
const PLATFORM = ['config', 'observability', 'db', 'processes', 'queue', 'http']
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-never-imports-workers',
      comment: 'nor examples, which are copies to take away',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^(workers|commands|dev|test|examples)' },
    },
    {
      name: 'workers-never-import-commands-or-tests',
      severity: 'error',
      from: { path: '^workers' },
      to: { path: '^(commands|dev|test)' },
    },
    {
      name: 'examples-stand-alone',
      comment: 'they are there to be copied into a project of somebody else',
      severity: 'error',
      from: { path: '^examples' },
      to: { path: '^(src|workers|commands|dev|test)' },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'nor what puts features together',
      severity: 'error',
      from: { path: '^src/platform' },
      to: { path: '^src/(features/|[^/]+\\.ts$)' },
    },
    ...PLATFORM.map((folder, n) => ({
      name: `platform-${folder}-imports-only-lower-folders`,
      severity: 'error',
      from: { path: `^src/platform/${folder}/` },
      to: {
        path: '^src/platform/[^/]+/',
        pathNot: `^src/platform/(${PLATFORM.slice(0, n + 1).join('|')})/`,
      },
    })),
    {
      name: 'platform-files-import-no-folder',
      comment: 'also fails for a folder that is missing in PLATFORM',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: `^src/platform/(${PLATFORM.join('|')})/` },
      to: { path: '^src/platform/[^/]+/' },
    },
    {
      name: 'features-meet-at-their-public APIs',
      comment: 'import another feature through its index.ts only',
      severity: 'error',
      from: { path: feature },
      to: { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
    },
    {
      name: 'public APIs-only-from-outside',
      comment: 'src/*.ts, workers, commands and dev enter a feature through its index.ts only',
      severity: 'error',
      from: { path: '^(src/[^/]+\\.ts$|workers/|commands/|dev/)', pathNot: '^src/contracts\\.ts$' },
      to: { path: '^src/features/[^/]+/', pathNot: ['^src/features/[^/]+/index\\.ts$'] },
    },
    {
      name: 'contracts-without-features',
      comment: 'a migration installs the queues without loading the features',
      severity: 'error',
      from: { path: '^src/contracts\\.ts$' },
      to: { path: '^src/features/', pathNot: ['^src/features/([^/]+)/\\1\\.jobs\\.ts$'] },
    },
    {
      name: 'sql-knows-no-service',
      severity: 'error',
      from: { path: '\\.sql\\.ts$' },
      to: { path: '\\.(service|operations)\\.ts$' },
    },
    {
      name: 'service-knows-no-operation',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.operations\\.ts$' },
    },
    {
      name: 'jobs-are-contracts',
      comment: 'migrations load them, and games is no more than facts about games',
      severity: 'error',
      from: { path: '\\.jobs\\.ts$' },
      to: { path: '\\.(service|operations|sql)\\.ts$|^src/features/(?!games/)[^/]+/index\\.ts$' },
    },
    {
      name: 'directory-engine-stands-alone',
      comment: 'the feed fills the engine and http serves it, never the other way round',
      severity: 'error',
      from: { path: '^src/features/directory/engine/' },
      to: { path: '^src/features/directory/(feed|http)/' },
    },
    {
      name: 'far-ends-only-in-workers',
      comment:
        'the API process queries no game server, sends no mail and no webhook, decodes no picture, and has no clockwork',
      severity: 'error',
      from: { pathNot: '^(workers|commands|dev|test)' },
      to: { path: 'node_modules/(gamedig|nodemailer|undici|node-cron|sharp|@img)/' },
    },
    {
      name: 'no-dev-packages-in-the-product',
      severity: 'error',
      from: { path: '^(src|workers)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^src/generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
}
