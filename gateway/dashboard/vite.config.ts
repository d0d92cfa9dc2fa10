import { fileURLToPath } from 'node:url';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { demoProxy } from './build/demo-proxy.ts';
import { sizeBudget } from './build/size-budget.ts';

/** The languages of the pages: the component set brings texts of its own in 34. */
const LOCALES = ['en-US', 'de-DE', 'es-ES', 'fr-FR'];

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ command }) => ({
  base: '/dashboard/',
  plugins: [optimizeLocales.vite({ locales: LOCALES }), react(), sizeBudget()],
  resolve: {
    // Its sources, so that nothing has to be built first.
    alias: { '@swim/sdk': fromHere('../../libs/sdk/src/index.ts') },
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // It would be an inline script for browsers that the product does not support.
    modulePreload: { polyfill: false },
    license: false,
  },
  server: command === 'serve' ? { proxy: demoProxy() } : {},
}));
