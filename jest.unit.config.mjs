import full from './jest.config.mjs';

// Specs beside their sources, without a database. Libraries are taken from their sources too, so that nothing has to be built.
const { projects, reporters, ...options } = full;
const fromSource = {
  '^@swim/messaging/client$': `${import.meta.dirname}/libs/messaging/src/client.ts`,
  '^@swim/(.*)$': `${import.meta.dirname}/libs/$1/src/index.ts`,
};

export default {
  ...options,
  projects: projects
    .filter(({ testMatch }) => testMatch.some((pattern) => pattern.includes('/src/')))
    .map((project) => ({
      ...project,
      testMatch: ['<rootDir>/src/**/*.spec.ts'],
      moduleNameMapper: { ...fromSource, ...project.moduleNameMapper },
    })),
};
