// What the oldest supported runtime does not have: Electron 25, that is Node 18.15 on the V8 of Chromium 114.
// Types come from a newer Electron and unit tests run on a newer Node, so neither would notice.

/** Members of globals, missing in V8 11.4 or in both Node and Chromium. */
export const MISSING_STATICS = new Set([
  'AbortSignal.any',
  'Array.fromAsync',
  'Error.isError',
  'Intl.DurationFormat',
  'Map.groupBy',
  'Math.f16round',
  'Math.sumPrecise',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'ReadableStream.from',
  'RegExp.escape',
  'Symbol.asyncDispose',
  'Symbol.dispose',
  'URL.canParse',
  'URL.parse',
  'Uint8Array.fromBase64',
  'Uint8Array.fromHex',
  'scheduler.yield',
]);

/** Methods whose names leave no doubt about what is called. */
export const MISSING_METHODS = new Set([
  'getOrInsert',
  'getOrInsertComputed',
  'isDisjointFrom',
  'isSubsetOf',
  'isSupersetOf',
  'setFromBase64',
  'setFromHex',
  'symmetricDifference',
  'toBase64',
  'toHex',
  'transferToFixedLength',
]);

/** Methods of Set that others have too: refused unless called on zod's `z`. */
export const MISSING_SET_METHODS = new Set(['difference', 'intersection', 'union']);

/** Iterator helpers: refused on what `values()`, `keys()`, `entries()` and `matchAll()` return. */
export const ITERATOR_SOURCES = new Set(['entries', 'keys', 'matchAll', 'values']);
export const ITERATOR_HELPERS = new Set([
  'drop',
  'every',
  'filter',
  'find',
  'flatMap',
  'forEach',
  'map',
  'reduce',
  'some',
  'take',
  'toArray',
]);

/** Globals no supported runtime has everywhere. */
export const MISSING_GLOBALS = new Set([
  'AsyncDisposableStack',
  'DisposableStack',
  'Float16Array',
  'Iterator',
  'SuppressedError',
  'Temporal',
]);

/** Globals of browsers and newer Nodes that the main process lacks. */
export const MISSING_IN_NODE = new Set([
  'CloseEvent',
  'CustomEvent',
  'EventSource',
  'File',
  'Navigator',
  'Storage',
  'URLPattern',
  'WebSocket',
  'crypto',
  'localStorage',
  'navigator',
  'sessionStorage',
]);

/** Globals and members of elements that Chromium 114 lacks. */
export const MISSING_IN_CHROMIUM = new Set(['CloseWatcher', 'EditContext', 'URLPatternList', 'documentPictureInPicture']);
export const MISSING_DOM_METHODS = new Set([
  'caretPositionFromPoint',
  'getHTML',
  'moveBefore',
  'parseHTMLUnsafe',
  'setHTML',
  'setHTMLUnsafe',
]);

/** What Node's own modules lack, by module. */
export const MISSING_IN_NODE_MODULES = {
  assert: ['partialDeepStrictEqual'],
  crypto: ['hash'],
  diagnostics_channel: ['tracingChannel'],
  events: ['addAbortListener', 'getMaxListeners'],
  fs: ['glob', 'globSync', 'openAsBlob'],
  'fs/promises': ['glob'],
  module: ['enableCompileCache', 'findPackageJSON', 'register', 'registerHooks', 'stripTypeScriptTypes'],
  path: ['matchesGlob'],
  process: ['availableMemory', 'getBuiltinModule', 'loadEnvFile'],
  url: ['fileURLToPathBuffer'],
  util: ['aborted', 'diff', 'getCallSite', 'getCallSites', 'parseEnv', 'styleText'],
  worker_threads: ['isInternalThread', 'markAsUncloneable', 'postMessageToThread'],
  zlib: ['crc32', 'createZstdCompress', 'createZstdDecompress', 'zstdCompress', 'zstdCompressSync', 'zstdDecompress', 'zstdDecompressSync'],
};

/** Whole modules Node 18 lacks. */
export const MISSING_NODE_MODULES = new Set(['node:sea', 'node:sqlite']);

/** Calls whose `recursive` option Node 18.15 ignores without a word. */
export const NOT_RECURSIVE = new Set(['opendir', 'opendirSync', 'readdir', 'readdirSync', 'watch']);

/** CSS that Chromium 114 ignores and the build does not lower. `light-dark()` and constant relative colours are lowered. */
export const MISSING_CSS = [
  { name: 'subgrid', pattern: /\bsubgrid\b/ },
  {
    name: 'anchor positioning',
    pattern: /\b(anchor-name|position-anchor|position-area|inset-area|position-try(-fallbacks|-order)?)\s*:|\banchor(-size)?\(/,
  },
  { name: 'field-sizing', pattern: /\bfield-sizing\s*:/ },
  { name: 'scrollbar-color', pattern: /\bscrollbar-color\s*:/ },
  { name: 'scrollbar-width', pattern: /\bscrollbar-width\s*:/ },
  { name: 'text-wrap: pretty', pattern: /\btext-wrap(-style)?\s*:[^;}]*\b(pretty|stable)\b/ },
  { name: 'interpolate-size', pattern: /\binterpolate-size\s*:|\bcalc-size\(/ },
  { name: 'relative colour of a variable', pattern: /\b(rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|color)\(\s*from\s+var\(/ },
  { name: '@starting-style', pattern: /@starting-style\b/ },
  { name: 'transition-behavior', pattern: /\btransition-behavior\s*:|\ballow-discrete\b/ },
  { name: '@scope', pattern: /@scope\b/ },
  { name: 'scroll-driven animation', pattern: /\b(animation|scroll|view)-timeline(-name|-axis)?\s*:|\banimation-range\s*:/ },
  { name: ':user-valid', pattern: /:user-(in)?valid\b/ },
  { name: '::details-content', pattern: /::details-content\b/ },
  { name: 'text-box-trim', pattern: /\btext-box(-trim|-edge)?\s*:/ },
  { name: 'if()', pattern: /:\s*if\(/ },
  { name: 'sibling-index()', pattern: /\bsibling-(index|count)\(/ },
  { name: 'corner-shape', pattern: /\bcorner-shape\s*:/ },
];
