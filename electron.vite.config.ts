// How the three bundles are made: main and preload as CommonJS (they run on Electron 25 to 45), the renderer for Chromium 114 and later.
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { eagerWrappers } from './scripts/eagerWrappers.mjs';

const at = (path: string) => resolve(import.meta.dirname, path);

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node18',
      minify: true,
      externalizeDeps: false,
      rollupOptions: {
        // The runtime starts `index`, which loads `program`.
        input: { index: at('main/launch.ts'), program: at('main/index.ts') },
        external: ['electron', 'better-sqlite3', '@napi-rs/canvas'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: 'node18',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: at('preload/index.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [react(), eagerWrappers()],
    // The worker that colours code loads each grammar at its first use, which only modules can.
    worker: { format: 'es' },
    build: {
      outDir: at('out/renderer'),
      // The content security policy lets fonts come from files only; a small one must not become a data: address.
      assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
      target: 'chrome114',
      cssTarget: 'chrome114',
      minify: true,
      // The largest is Mermaid's, loaded at the first diagram.
      chunkSizeWarningLimit: 700,
      rollupOptions: { input: { index: at('renderer/index.html') } },
    },
  },
});
