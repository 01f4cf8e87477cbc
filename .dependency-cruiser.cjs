// Who may import whom: the table of the architecture page, made a check. Everything a folder is not granted is refused.
/** @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule */

/** Tests, and what only tests use. */
const TEST = String.raw`\.(test|spec)\.tsx?$|(Fixture|Arbitrary|childProgram)\.tsx?$|^e2e/|^renderer/testing/`;

/** @type {(...names: string[]) => string} */
const modules = (...names) => `^(node_modules/)?(@types/)?(${names.join('|')})(/|$)`;

/** A rule that everything in `from` which `to` does not name is refused; npm modules and Node's own are left to the rules below. @type {(name: string, from: string, ...to: string[]) => Rule} */
const mayImport = (name, from, ...to) => ({
  name: `layer-${name}`,
  comment: `${name} may import only: ${to.join(', ')}`,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { path: '^(shared|preload|main|renderer|assets|scripts|e2e)/', pathNot: [from, ...to] },
});

/**
 * A rule that the parts of one folder do not import each other. `common` names what they share, `composers` what puts them together.
 * @type {(name: string, folder: string, beyond?: { common?: string, composers?: string }) => Rule}
 */
const strangers = (name, folder, { common, composers } = {}) => ({
  name: `siblings-${name}`,
  comment: `The parts of ${folder} do not know each other`,
  severity: 'error',
  from: { path: `^${folder}/([^/]+?)(/|\\.tsx?$)`, pathNot: composers ? [TEST, composers] : TEST },
  to: { path: `^${folder}/`, pathNot: [`^${folder}/$1(/|\\.tsx?$)`, ...(common ? [common] : [])] },
});

/** @type {(name: string, packages: string[], ...allowed: string[]) => Rule} */
const only = (name, packages, ...allowed) => ({
  name: `only-${name}`,
  comment: `Only ${allowed.join(', ')} may import ${packages.join(', ')}`,
  severity: 'error',
  from: { path: '^(shared|preload|main|renderer)/', pathNot: [TEST, ...allowed] },
  to: { path: modules(...packages) },
});

const LIB = '^main/lib/';
const SHARED = '^shared/';
const STORE = '^main/store/';
const CONTEXT = '^main/context/';
const TRANSCRIPT = '^main/transcript/';
const PROVIDERS = '^main/providers/';
const USER = '^main/user/';
const ATTACHMENTS = '^main/attachments/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^(shared|preload|main|renderer)/' }, to: { circular: true } },
    {
      name: 'no-tests-in-the-app',
      comment: 'What ships does not import tests',
      severity: 'error',
      from: { path: '^(shared|preload|main|renderer)/', pathNot: TEST },
      to: { path: TEST },
    },
    mayImport('shared', SHARED),
    mayImport('preload', '^preload/', SHARED),
    mayImport('renderer', '^renderer/', SHARED, '^assets/'),
    mayImport('main/lib', LIB, SHARED),
    mayImport('main/store', STORE, SHARED, LIB),
    mayImport('main/transcript', TRANSCRIPT, SHARED, LIB),
    // Opening a workspace is opening its store and its blobs.
    mayImport('main/workspace', '^main/workspace/', SHARED, LIB, STORE, TRANSCRIPT),
    mayImport('main/user', USER, SHARED, LIB),
    mayImport('main/attachments', ATTACHMENTS, SHARED, LIB, TRANSCRIPT),
    mayImport('main/context', CONTEXT, SHARED, LIB, '^assets/'),
    mayImport('main/providers', PROVIDERS, SHARED, LIB, '^main/context/snapshot/billing', '^assets/'),
    mayImport('main/interchange', '^main/interchange/', SHARED, LIB),
    mayImport('main/agents', '^main/agents/', SHARED, LIB, STORE, TRANSCRIPT, CONTEXT, PROVIDERS),
    mayImport(
      'main/ipc',
      '^main/ipc/',
      SHARED,
      LIB,
      '^main/agents/',
      STORE,
      TRANSCRIPT,
      '^main/workspace/',
      USER,
      ATTACHMENTS,
      CONTEXT,
      '^main/interchange/',
      PROVIDERS,
    ),
    mayImport('main/workers', '^main/workers/', SHARED, LIB, CONTEXT, STORE, '^main/interchange/', '^assets/'),
    mayImport('main/app', '^main/app/', SHARED, LIB, '^main/workspace/', USER, '^assets/'),

    strangers('ipc', 'main/ipc', {
      common: '^main/ipc/(gate|base|context|talkViews|outlineReader|imports/imports)',
      composers: '^main/ipc/(router|gate)',
    }),
    strangers('tools', 'main/agents/tools', { common: '^main/agents/tools/(approvals|common)/', composers: '^main/agents/tools/registry' }),
    strangers('rungs', 'main/context/rungs'),
    strangers('import-formats', 'main/interchange/import'),
    strangers('export-formats', 'main/interchange/export', { common: '^main/interchange/export/(bundle|walkTree)' }),
    strangers('features', 'renderer/features'),
    {
      name: 'ui-is-dumb',
      comment: 'Components of ui/ know no state and no bridge',
      severity: 'error',
      from: { path: '^renderer/(ui|text)/', pathNot: TEST },
      to: { path: '^renderer/(state|features|bridge|App|main)' },
    },
    {
      name: 'state-below-features',
      severity: 'error',
      from: { path: '^renderer/state/', pathNot: TEST },
      to: { path: '^renderer/(features|ui|App|main)' },
    },

    only('sqlite', ['better-sqlite3'], STORE),
    only('model-sdks', ['openai', '@google/genai'], PROVIDERS),
    only('electron', ['electron'], '^main/app/', '^main/ipc/gate', '^main/(index|launch)\\.ts$', '^main/windowHost\\.ts$', '^preload/'),
    only('rpc-client', ['@orpc/client'], '^renderer/bridge\\.ts$', '^shared/', '^main/'),
    {
      name: 'renderer-without-node',
      severity: 'error',
      from: { path: '^(renderer|shared)/', pathNot: TEST },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'shared-is-pure',
      comment: 'shared knows zod, and its contract the contract builder',
      severity: 'error',
      from: { path: SHARED, pathNot: [TEST, '^shared/contract(\\.ts|/)'] },
      to: { path: '^node_modules/', pathNot: modules('zod') },
    },
    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: '^shared/contract(\\.ts|/)' },
      to: { path: '^node_modules/', pathNot: modules('zod', '@orpc/contract') },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would escape every other rule',
      severity: 'error',
      from: { path: '^(shared|preload|main|renderer|e2e)/' },
      // What Vite makes of a path with a query (a worker, a URL) is a file it finds itself.
      to: { couldNotResolve: true, pathNot: String.raw`\?[a-zA-Z]+$` },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: '^(node_modules|out|dist)/' },
    exclude: { path: '^(out|dist|test-results)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
