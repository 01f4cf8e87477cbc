// Languages that can be highlighted: their names, and how each one's grammar is loaded at its first use.
import type { LanguageFn } from 'highlight.js';

export type Language = { id: string; label: string; load: () => Promise<{ default: LanguageFn }> };

const languages: [id: string, label: string, aliases: string, load: Language['load']][] = [
  ['bash', 'Shell', 'sh shell zsh console terminal', () => import('highlight.js/lib/languages/bash')],
  ['c', 'C', 'h', () => import('highlight.js/lib/languages/c')],
  ['clojure', 'Clojure', 'clj', () => import('highlight.js/lib/languages/clojure')],
  ['cmake', 'CMake', '', () => import('highlight.js/lib/languages/cmake')],
  ['cpp', 'C++', 'c++ cc cxx hpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp', 'C#', 'cs c#', () => import('highlight.js/lib/languages/csharp')],
  ['css', 'CSS', '', () => import('highlight.js/lib/languages/css')],
  ['dart', 'Dart', '', () => import('highlight.js/lib/languages/dart')],
  ['diff', 'Diff', 'patch', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile', 'Dockerfile', 'docker', () => import('highlight.js/lib/languages/dockerfile')],
  ['elixir', 'Elixir', 'ex exs', () => import('highlight.js/lib/languages/elixir')],
  ['elm', 'Elm', '', () => import('highlight.js/lib/languages/elm')],
  ['erlang', 'Erlang', 'erl', () => import('highlight.js/lib/languages/erlang')],
  ['fsharp', 'F#', 'fs f#', () => import('highlight.js/lib/languages/fsharp')],
  ['go', 'Go', 'golang', () => import('highlight.js/lib/languages/go')],
  ['gradle', 'Gradle', '', () => import('highlight.js/lib/languages/gradle')],
  ['graphql', 'GraphQL', 'gql', () => import('highlight.js/lib/languages/graphql')],
  ['groovy', 'Groovy', '', () => import('highlight.js/lib/languages/groovy')],
  ['haskell', 'Haskell', 'hs', () => import('highlight.js/lib/languages/haskell')],
  ['http', 'HTTP', '', () => import('highlight.js/lib/languages/http')],
  ['ini', 'INI', 'toml conf', () => import('highlight.js/lib/languages/ini')],
  ['java', 'Java', '', () => import('highlight.js/lib/languages/java')],
  ['javascript', 'JavaScript', 'js jsx mjs cjs', () => import('highlight.js/lib/languages/javascript')],
  ['json', 'JSON', 'json5 jsonc jsonl', () => import('highlight.js/lib/languages/json')],
  ['julia', 'Julia', 'jl', () => import('highlight.js/lib/languages/julia')],
  ['kotlin', 'Kotlin', 'kt', () => import('highlight.js/lib/languages/kotlin')],
  ['latex', 'LaTeX', 'tex', () => import('highlight.js/lib/languages/latex')],
  ['less', 'Less', '', () => import('highlight.js/lib/languages/less')],
  ['lisp', 'Lisp', 'elisp', () => import('highlight.js/lib/languages/lisp')],
  ['lua', 'Lua', '', () => import('highlight.js/lib/languages/lua')],
  ['makefile', 'Makefile', 'make mk', () => import('highlight.js/lib/languages/makefile')],
  ['markdown', 'Markdown', 'md', () => import('highlight.js/lib/languages/markdown')],
  ['matlab', 'MATLAB', '', () => import('highlight.js/lib/languages/matlab')],
  ['nginx', 'nginx', '', () => import('highlight.js/lib/languages/nginx')],
  ['nix', 'Nix', '', () => import('highlight.js/lib/languages/nix')],
  ['objectivec', 'Objective-C', 'objc', () => import('highlight.js/lib/languages/objectivec')],
  ['ocaml', 'OCaml', 'ml', () => import('highlight.js/lib/languages/ocaml')],
  ['perl', 'Perl', 'pl', () => import('highlight.js/lib/languages/perl')],
  ['php', 'PHP', '', () => import('highlight.js/lib/languages/php')],
  ['powershell', 'PowerShell', 'ps1 pwsh', () => import('highlight.js/lib/languages/powershell')],
  ['prolog', 'Prolog', '', () => import('highlight.js/lib/languages/prolog')],
  ['properties', 'Properties', '', () => import('highlight.js/lib/languages/properties')],
  ['protobuf', 'Protocol Buffers', 'proto', () => import('highlight.js/lib/languages/protobuf')],
  ['python', 'Python', 'py python3', () => import('highlight.js/lib/languages/python')],
  ['r', 'R', '', () => import('highlight.js/lib/languages/r')],
  ['ruby', 'Ruby', 'rb', () => import('highlight.js/lib/languages/ruby')],
  ['rust', 'Rust', 'rs', () => import('highlight.js/lib/languages/rust')],
  ['scala', 'Scala', '', () => import('highlight.js/lib/languages/scala')],
  ['scheme', 'Scheme', 'scm', () => import('highlight.js/lib/languages/scheme')],
  ['scss', 'SCSS', 'sass', () => import('highlight.js/lib/languages/scss')],
  ['sql', 'SQL', 'postgresql mysql sqlite psql', () => import('highlight.js/lib/languages/sql')],
  ['swift', 'Swift', '', () => import('highlight.js/lib/languages/swift')],
  ['typescript', 'TypeScript', 'ts tsx mts cts', () => import('highlight.js/lib/languages/typescript')],
  ['vbnet', 'Visual Basic', 'vb', () => import('highlight.js/lib/languages/vbnet')],
  ['verilog', 'Verilog', 'sv', () => import('highlight.js/lib/languages/verilog')],
  ['vim', 'Vim script', 'viml', () => import('highlight.js/lib/languages/vim')],
  ['wasm', 'WebAssembly', 'wat', () => import('highlight.js/lib/languages/wasm')],
  ['x86asm', 'Assembly', 'asm nasm', () => import('highlight.js/lib/languages/x86asm')],
  ['xml', 'XML', 'html xhtml svg vue svelte htm', () => import('highlight.js/lib/languages/xml')],
  ['yaml', 'YAML', 'yml', () => import('highlight.js/lib/languages/yaml')],
];

const byName = new Map<string, Language>();
for (const [id, label, aliases, load] of languages) {
  for (const name of [id, ...aliases.split(' ')]) if (name) byName.set(name, { id, label, load });
}

const shownAs: Record<string, string> = {
  html: 'HTML',
  svg: 'SVG',
  jsx: 'JSX',
  tsx: 'TSX',
  toml: 'TOML',
  vue: 'Vue',
  svelte: 'Svelte',
  jsonl: 'JSON Lines',
  mermaid: 'Mermaid',
  text: '',
  txt: '',
  plaintext: '',
  plain: '',
  csv: 'CSV',
};

/** The language of a fence, or undefined when its words cannot be coloured. */
export function findLanguage(name: string): Language | undefined {
  return byName.get(name);
}

/** What the head of a code block says; the writer's own word when it is unknown, nothing for plain text. */
export function languageLabel(name: string): string {
  return shownAs[name] ?? byName.get(name)?.label ?? name;
}
