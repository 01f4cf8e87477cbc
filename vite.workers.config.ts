// Worker threads as a bundle of their own: they share no chunk with the main bundle, which would start the program a second time.
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const at = (path: string) => resolve(import.meta.dirname, path);
const nodeBuiltins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

export default defineConfig({
  ssr: { noExternal: true, target: 'node' },
  // Glyphs of pages: in the bundle, for a thread finds no file beside it.
  assetsInclude: ['**/*.bin'],
  build: {
    ssr: true,
    outDir: at('out/workers'),
    emptyOutDir: true,
    target: 'node18',
    minify: true,
    rollupOptions: {
      input: {
        reader: at('main/workers/reader.ts'),
        outline: at('main/workers/outline.ts'),
        search: at('main/workers/search.ts'),
        pdf: at('main/workers/pdf.ts'),
        picture: at('main/workers/picture.ts'),
        importer: at('main/workers/importer.ts'),
        tokens: at('main/workers/tokens.ts'),
        pages: at('main/workers/pages.ts'),
      },
      external: ['better-sqlite3', '@napi-rs/canvas', ...nodeBuiltins],
      output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
    },
  },
});
