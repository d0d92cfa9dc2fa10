import { default as files } from './.dependency-cruiser.mjs';

/** Folders import in one direction. Tests may import what they test, and every feature the type of its service's config. */
export default {
  forbidden: [
    {
      name: '5-no-cycles-of-folders',
      comment: 'Two folders that import each other cannot be understood, or changed, one without the other.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...files.options,
    exclude: { path: ['[.]spec[.]ts$', '/test/', '^libs/testing/', '^services/[^/]+/src/config[.]ts$'] },
  },
};
