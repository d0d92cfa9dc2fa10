import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// dependency-cruiser reads this file as a webpack configuration, the only format in which it accepts aliases. Imports
// of our own packages resolve to sources instead of the build: this reveals cycles through libraries, and the check
// needs no build.
const root = fileURLToPath(new URL('../../', import.meta.url));
const services = readdirSync(`${root}services`);
const libs = readdirSync(`${root}libs`);

export default {
  resolve: {
    alias: {
      ...Object.fromEntries(libs.map((name) => [`@swim/${name}$`, `${root}libs/${name}/src/index.ts`])),
      '@swim/messaging/client$': `${root}libs/messaging/src/client.ts`,
      ...Object.fromEntries(services.map((name) => [`@swim/${name}$`, `${root}services/${name}/src/main.ts`])),
      '@swim/gateway$': `${root}gateway/src/main.ts`,
    },
  },
};
