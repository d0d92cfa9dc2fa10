import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const foldersIn = (parent) => readdirSync(`${root}${parent}`).map((name) => `${parent}/${name}`);

// The options that the build uses too.
const { $schema, module, ...swc } = JSON.parse(readFileSync(`${root}.swcrc`, 'utf8'));

// Outages, measurements and the worked examples of the docs take minutes: `npm run chaos`.
const OF_CHAOS = ['/test/chaos/', '/journeys/service-outages[.]', '/bench/bench[.]', '/checks/worked-example[.]'];
const left = process.env.CHAOS ? ['/node_modules/'] : ['/node_modules/', ...OF_CHAOS];
// The pages of the dashboard are tested in a browser, which a machine may lack: `npm test` says so then.
if (!process.env.CHROMIUM) left.push('/test/browser/');
// All pages, in every theme and language, take minutes: `npm run e2e`.
if (!process.env.E2E) left.push('/test/browser/(?:all-pages|passkeys)[.]');

const workspace = (folder) => ({
  displayName: folder,
  rootDir: `${root}${folder}`,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testPathIgnorePatterns: left,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  // Packages, and these two files, are loaded by Node.
  transformIgnorePatterns: ['/node_modules/', '/deploy/test-(environment|runtime)[.]ts$'],
  runtime: `${root}deploy/test-runtime.ts`,
  testEnvironment: `${root}deploy/test-environment.ts`,
  // Sources call each other by the name they have once built; packages really have a file of that name.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
});

const scripts = (folder) => ({
  ...workspace(folder),
  testMatch: ['<rootDir>/**/*.spec.ts'],
  testPathIgnorePatterns: left,
  // Scripts name the files that Node runs.
  moduleNameMapper: {},
});

export default {
  projects: [
    ...[...foldersIn('libs'), ...foldersIn('services'), 'gateway'].map(workspace),
    { ...workspace('gateway/dashboard'), moduleNameMapper: {} },
    ...['deploy', 'bench'].map(scripts),
  ],
  testSequencer: `${root}deploy/test-sequencer.ts`,
  reporters: [`${root}deploy/test-reporter.ts`],
  // More than cores, since two thirds of a file's time are waiting.
  maxWorkers: 6,
  // Node never frees the modules of a file that has run (nodejs/node#59118): a new worker costs less than the collections of
  // a heap of gigabytes.
  workerIdleMemoryLimit: '500MB',
  // A worker that has run many files has nothing open at its end, but gives hundreds of megabytes back before it is gone.
  workerGracefulExitTimeout: 20_000,
  // Costs nothing when all is well, and a machine that is busy with other work may take its time.
  testTimeout: 300_000,
};
