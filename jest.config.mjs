import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const foldersIn = (parent) => readdirSync(`${root}${parent}`).map((name) => `${parent}/${name}`);

const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

// Faults of whole parts take minutes and want a machine to themselves: `npm run soak`.
const left = process.env.SOAK ? ['/node_modules/'] : ['/node_modules/', '/test/soak/'];

const workspace = (folder) => ({
  displayName: folder,
  rootDir: `${root}${folder}`,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testPathIgnorePatterns: left,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  // Sources call each other by the name they have once built; packages really have a file of that name.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
});

const scripts = (folder) => ({
  displayName: folder,
  rootDir: `${root}${folder}`,
  testMatch: ['<rootDir>/**/*.spec.mjs'],
  transform: {},
});

export default {
  projects: [
    ...[...foldersIn('libs'), ...foldersIn('services'), 'gateway'].map(workspace),
    ...['deploy', 'bench'].map(scripts),
  ],
  reporters: [`${root}deploy/test-reporter.mjs`],
  maxWorkers: 2,
  // A worker that has run many files has nothing open at its end, but gives hundreds of megabytes back before it is gone.
  workerGracefulExitTimeout: 20_000,
  testTimeout: 30_000,
};
