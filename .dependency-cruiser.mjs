const npmPackage = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const specs = '[.]spec[.]ts$';
// A folder of a service is a feature; two of the people service have features.
const FEATURE = '(?:(?:identity|people)/[^/]+|(?!identity/|people/)[^/]+)';
const mongo = ['^libs/mongo/', npmPackage('mongoose', 'mongodb', '@nestjs/mongoose')];

const rules = [
  {
    name: '1-contracts-know-zod-only',
    comment:
      'Everything depends on libs/contracts, so it depends on nothing but zod, and on Temporal, which says what a time zone is.',
    from: { path: '^libs/contracts/src/', pathNot: specs },
    to: { pathNot: ['^libs/contracts/src/', npmPackage('zod', 'temporal-polyfill')] },
  },
  {
    name: '2-libs-never-import-services-or-gateway',
    comment: 'Libraries lie below services and gateway and know neither.',
    from: { path: '^libs/' },
    to: { path: '^(services|gateway)/' },
  },
  {
    name: '2-sdk-imports-nothing',
    comment: 'The published client runs outside the product, on runtimes that have no more than fetch.',
    from: { path: '^libs/sdk/src/', pathNot: specs },
    to: { pathNot: '^libs/sdk/src/' },
  },
  {
    name: '2-mongo-and-messaging-are-apart',
    comment: 'Storage knows no NATS and messaging no storage: both build on platform, and a service joins them.',
    from: { path: '^libs/(mongo|messaging)/src/', pathNot: specs },
    to: { path: '^libs/(mongo|messaging)/', pathNot: '^libs/$1/' },
  },
  {
    name: '2-engines-have-one-module',
    comment: 'What one engine of the database needs is met by nobody who reads a repository.',
    from: { path: '^libs/mongo/src/', pathNot: ['^libs/mongo/src/engine/', specs] },
    to: { path: '^libs/mongo/src/engine/[^/]+/' },
  },
  {
    name: '2-services-never-import-services',
    comment: 'Services and the gateway meet over NATS, through the operations and events of libs/contracts.',
    from: { path: '^(services/[^/]+|gateway)/' },
    to: { path: '^(services/[^/]+|gateway)/', pathNot: '^$1/' },
  },
  {
    name: '3-gateway-never-imports-mongo',
    comment: 'Data belongs to the services; the gateway requests it from them.',
    from: { path: '^gateway/' },
    to: { path: mongo },
  },
  {
    name: '3-gateway-never-reaches-mongo',
    comment: 'Data belongs to the services; the gateway does not reach it through another library either.',
    from: { path: '^gateway/src/', pathNot: specs },
    to: { path: mongo, reachable: true },
  },
  {
    name: '3-gateway-never-reaches-nest',
    comment: 'What serves operations costs a process some 20 MB; the gateway only calls, by @swim/messaging/client.',
    from: { path: '^gateway/src/', pathNot: specs },
    to: { path: npmPackage('@nestjs/[^/]+'), reachable: true },
  },
  {
    name: '4-rules-know-contracts-and-rules-only',
    comment:
      'Rules are pure: what they need is passed in, and only its type may be known. Temporal is part of the language, only not yet of the Node we run on.',
    from: { path: '[.]rules[.]ts$' },
    to: {
      dependencyTypesNot: ['type-only'],
      pathNot: ['^libs/contracts/src/', '[.]rules[.]ts$', npmPackage('temporal-polyfill'), '^(?:node:)?util$'],
    },
  },
  {
    name: '4-only-the-memory-knows-mongoose',
    comment: 'Only .repository, .schema and .module files use mongoose; a service calls its repository.',
    from: {
      path: ['^services/[^/]+/src/', '^libs/(?!mongo/|testing/)'],
      pathNot: ['[.](repository|schema|module)[.]ts$', specs],
    },
    to: { path: npmPackage('mongoose', 'mongodb', '@nestjs/mongoose') },
  },
  {
    name: '5-no-cycles',
    comment: 'Two files that need each other are one thing, or miss a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: '6-identity-people-lifecycle',
    comment:
      'Accounts and users know nothing of members and instructors, and neither knows what happens to an account as a whole.',
    from: { path: '^services/people/src/(identity|people)/' },
    to: { path: '^services/people/src/(people|lifecycle)/', pathNot: '^services/people/src/$1/' },
  },
  {
    name: '6-features-meet-in-services',
    comment:
      "Of another feature, import its services, rules and mappers only. Modules import each other's modules. The steps of payment are the base of its payments and refunds, lessons and their places that of sessions; lifecycle changes what all features store.",
    from: {
      path: `^services/([^/]+)/src/(${FEATURE})/`,
      pathNot: ['[.]module[.]ts$', '^services/[^/]+/src/lifecycle/'],
    },
    to: {
      path: `^services/$1/src/${FEATURE}/`,
      pathNot: [
        '^services/$1/src/$2/',
        '[.](service|rules|mapper)[.]ts$',
        '^services/payment/src/steps/',
        '^services/scheduling/src/(lessons|calendar/(places|closed))/',
      ],
    },
  },
  {
    name: '6-modules-meet-in-modules',
    comment: 'Of another feature, a module imports its module or its service only.',
    from: { path: '^services/([^/]+)/src/([^/]+)/[^/]+[.]module[.]ts$' },
    to: { path: '^services/$1/src/[^/]+/', pathNot: ['^services/$1/src/$2/', '[.](service|module)[.]ts$'] },
  },
  {
    name: '7-dashboard-imports-the-client-only',
    comment: 'The dashboard runs in a browser: of the product it knows the published client and nothing else.',
    from: { path: '^gateway/dashboard/' },
    to: { path: '^(libs/(?!sdk/)|services/|gateway/(?!dashboard/|node_modules/))' },
  },
  {
    name: '7-gateway-serves-the-built-dashboard',
    comment: 'The gateway serves what the dashboard is built into, and imports none of it.',
    from: { path: '^gateway/(src|test)/' },
    to: { path: '^gateway/dashboard/' },
  },
  {
    name: '7-dashboard-features-are-apart',
    comment:
      'A feature of the dashboard is loaded by itself. What two of them need belongs to design, api, app or texts.',
    from: { path: '^gateway/dashboard/src/features/([^/]+)/' },
    to: { path: '^gateway/dashboard/src/features/', pathNot: '^gateway/dashboard/src/features/$1/' },
  },
  {
    name: 'every-import-resolves',
    comment:
      'The rules above apply to files; an import that leads to none would pass them all. Stories import clients that are generated when they run.',
    from: { pathNot: '^deploy/clients/stories/' },
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no JavaScript API, and without a parser that reads types, type imports would go unseen.
    parser: 'swc',
    doNotFollow: { path: '(^|/)(node_modules|dist|bundle|[.]local|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
    webpackConfig: { fileName: 'deploy/checks/import-resolution.mjs' },
  },
};
