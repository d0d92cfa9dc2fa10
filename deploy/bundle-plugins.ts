import http from 'node:http';
import type { Plugin } from 'rolldown';

/** Optional packages that are not installed stay imports, which fail when they are executed. */
const optionalPackages: Plugin = {
  name: 'optional packages',
  async resolveId(source, importer, options) {
    if (!importer || /^(\.|\/|node:|\0)/.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found ? null : { id: source, external: true };
  },
};

/**
 * `node:http` without the fields that Node computes when they are read: clients of WebSocket, fetch and HTTP/2. An `import` reads them all,
 * which takes 14 MB, and 2.4 MB of live heap as long as the process. `require` does not.
 */
const HTTP = '\0node:http';
const httpWithoutClients: Plugin = {
  name: 'http without clients',
  resolveId: (source, _importer, { kind }) => (kind !== 'require-call' && /^(node:)?http$/.test(source) ? HTTP : null),
  load(id) {
    if (id !== HTTP) return null;
    const fields = Object.entries(Object.getOwnPropertyDescriptors(http));
    const names = fields.filter(([, field]) => 'value' in field).map(([name]) => name);
    return `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${names.join(', ')} } = http;`;
  },
};

/**
 * Node's URL in place of the package that implements the same standard for browsers. The driver parses connection strings with it, whose
 * hosts it takes out before: of the tables of international names, which take 6 MB, it uses nothing.
 */
const WHATWG_URL = '\0whatwg-url';
const urlOfNode: Plugin = {
  name: 'URL of Node',
  resolveId: (source) => (source === 'whatwg-url' ? WHATWG_URL : null),
  load: (id) => (id === WHATWG_URL ? `export const { URL, URLSearchParams } = globalThis;` : null),
};

/**
 * Packages that are loaded where they are used, not when the module that names them is loaded. saslprep prepares the password of a user of
 * the database, and takes 9 MB to read its tables.
 */
const LOADED_LATE = [{ file: /\/mongodb\/lib\/cmap\/auth\/scram\.js$/, name: '@mongodb-js/saslprep' }];
const latePackages: Plugin = {
  name: 'late packages',
  transform(code, id) {
    const late = LOADED_LATE.find(({ file }) => file.test(id));
    return late ? inlineRequire(code, late.name) : null;
  },
};

/** The same code with `require` in place of each use of the constant that holds the package. */
function inlineRequire(code: string, name: string): string {
  const [statement, constant] = new RegExp(`^const (\\w+) = require\\("${name}"\\);$`, 'm').exec(code) ?? [];
  if (!statement || !constant) throw new Error(`the module that should load ${name} does not`);
  return code.replace(statement, '').replaceAll(constant, `require("${name}")`);
}

/**
 * Contracts declare the schemas of every service. Each declaration is marked as free of side effects, so that a bundle has those that its
 * process uses: all of them take 7 MB.
 */
const CONTRACTS = /\/libs\/contracts\/dist\//;
const COMPUTED = new Set([
  'CallExpression',
  'MemberExpression',
  'ObjectExpression',
  'ArrayExpression',
  'NewExpression',
]);
const usedContracts: Plugin = {
  name: 'used contracts',
  transform(code, id) {
    if (!CONTRACTS.test(id)) return null;
    return this.parse(code)
      .body.map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
      .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
      .flatMap(({ init }) => (init && COMPUTED.has(init.type) ? [init] : []))
      .reduceRight(
        (marked, { start, end }) =>
          `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`,
        code,
      );
  },
};

/** What a bundle leaves out, or loads only when it is used. */
export const PLUGINS: readonly Plugin[] = [
  httpWithoutClients,
  urlOfNode,
  optionalPackages,
  latePackages,
  usedContracts,
];
