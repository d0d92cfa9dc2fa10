// How long the loop is blocked by what a client may send, in a process of its own: a line of JSON for each request tried.
// Run by loop-time.spec.ts; by hand: node gateway/test/http/loop-time.mjs

import { BlockList } from 'node:net';
import { Readable } from 'node:stream';

const built = (file) => import(new URL(`../../dist/${file}.js`, import.meta.url).href);
const { clientAddress } = await built('authentication/addresses');
const { bodySchema } = await built('openapi/schemas');
const { Router } = await built('router');
const { PAGES } = await built('public-pages');
const { ROUTES } = await built('routes');
const { checkedInput, fingerprintOf, readIdempotencyKey } = await built('operations/operation-input');
const { readJsonBody } = await built('requests/json-body');
const { MAX_BODY_BYTES, readRawBody } = await built('requests/raw-body');
const { McpEndpoint } = await built('mcp/mcp-endpoint');
const { toolsOf } = await built('mcp/tools');
const { readDocuments, readOpenApi } = await built('pages');
const { checkHead, readTraceparent } = await built('requests/request-head');
const { readQuery, readTarget } = await built('requests/request-target');

const MAX_HEADER_BYTES = 16 * 1024;
const TRIES = 6;
const MOST_MS = 50;

const router = new Router(ROUTES, PAGES);
const document = await readOpenApi();
const docs = (await readDocuments(document)).get('/docs');
const mcp = new McpEndpoint(toolsOf(document));

/** That a request is rejected is as good as that it is not. */
function attempt(work) {
  try {
    work();
  } catch (error) {
    if (!error.reason) throw error;
  }
}

/** CPU time, the least of several tries; no further try once it was short enough. */
function cpuMs(work, mostMs = MOST_MS) {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= mostMs; tries++) {
    const before = process.threadCpuUsage();
    attempt(work);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const report = (name, work) => console.log(JSON.stringify({ name, ms: Math.round(cpuMs(work) * 10) / 10 }));

/** All that the gateway does with a body before it hands the loop back. */
function readBody(endpoint, bytes) {
  const body = readJsonBody(bytes);
  const values = endpoint.params.map(() => 'x');
  attempt(() => JSON.stringify(checkedInput(endpoint, values, body, bytes.length)));
  fingerprintOf(endpoint, values, body);
}

/** The unit, repeated until the body with `before` and `after` has the highest permitted size. */
function filled(unit, before = '', after = '') {
  const remaining = MAX_BODY_BYTES - Buffer.byteLength(before + after);
  return before + unit.repeat(Math.floor(remaining / Buffer.byteLength(unit))) + after;
}

const joined = (parts, most) =>
  parts
    .join(',')
    .slice(0, most)
    .replace(/,[^,]*$/, '');
const names = (prefix, count) => Array.from({ length: count }, (_, index) => `"${prefix}${index.toString(36)}":0`);
// Texts that are numbers get predictable hashes from V8.
const integers = Array.from({ length: 21_760 }, (_, index) => (index % 170) + Math.floor(index / 170) * 131_072);

const BODIES = {
  digits: filled('4', '{"notes":"', '"}'),
  'digits and blanks': filled('4 ', '{"notes":"', '"}'),
  'digits and blanks under an escaped name': filled('4 ', '{"\\u006eotes":"', '"}'),
  'digits that often pass the check digit': filled('2 2 0 ', '{"\\u006eotes":"', '"}'),
  'digits that often begin a card number': filled('6-', '{"\\u006eotes":"a', '"}'),
  'groups of four digits': filled('4242 4242-', '{"\\u006eotes":"', '"}'),
  'objects with one name': filled('{"a":0},', '{"notes":[', '0]}'),
  'groups of twelve digits': filled('424242424242  ', '{"\\u006eotes":"', '"}'),
  'escaped digits': filled('\\u0034', '{"notes":"', '"}'),
  escapes: filled('\\n', '{"notes":"', '"}'),
  blanks: filled(' ', '{"notes":', '1}'),
  'texts with an escape each': filled('"\\n",', '{"notes":[', '0]}'),
  'names with an escape each': filled('{"\\n":0},', '{"notes":[', '0]}'),
  'deep lists': filled(`${'['.repeat(30)}${']'.repeat(30)},`, '{"notes":[', '0]}'),
  'deep objects': filled(`${'{"a":'.repeat(29)}1${'}'.repeat(29)},`, '{"notes":[', '0]}'),
  'opening brackets': filled('[', '{"notes":'),
  'empty lists': filled('[],', '{"notes":[', '0]}'),
  'a long name': filled('x', '{"', '":1}'),
  'a long name above many values': `{"${'x'.repeat(100_000)}":[${'"\\n",'.repeat(30_000)}0]}`,
  'as many names as are allowed, at many places': filled(`{${names('n', 1_000).join(',')}},`, '{"notes":[', '0]}'),
  'many names': `{${joined(names('n', 30_000), 260_000)}}`,
  'many names below': `{"notes":{${joined(names('n', 30_000), 250_000)}}}`,
  'names that are numbers': `{"notes":{${joined(
    integers.map((each) => `"${each}":0`),
    250_000,
  )}}}`,
  'texts that are numbers': `{"notes":[${joined(
    integers.map((each) => `"${each}"`),
    250_000,
  )}]}`,
  'a number of 200,000 digits': `{"duration_minutes":${'7'.repeat(200_000)}}`,
  'a fraction of 200,000 digits': `{"duration_minutes":0.${'7'.repeat(200_000)}e-7}`,
  'numbers of 13 digits': filled('4242424242424,', '{"notes":[', '0]}'),
  'numbers of one digit': filled('0,', '{"notes":[', '0]}'),
  ideographs: filled('水', '{"notes":"', '"}'),
  emoji: filled('🏊', '{"notes":"', '"}'),
  'combining marks': filled('a\u0301', '{"notes":"', '"}'),
};

const manyIdeographs = Array.from({ length: 80_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
).join('');
/** What is tried at every place where a body may have a value. */
const VALUES = {
  'digits and blanks': filled('4 ', '"', '"'),
  'an e-mail address': filled('a.', '"a@', '"'),
  'a host name': `"https://${manyIdeographs}.test"`,
  'dots and slashes': filled('../a/', '"http://a/', '"'),
  colons: filled('0:', '"', '"'),
  zeros: filled('0,', '[', '0]'),
  'empty objects': filled('{},', '[', '0]'),
};

/** Text before and after a value at each place where a body of this schema may have one. */
function placesIn(schema, before = '', after = '') {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    placesIn(member, `${before}{"${name}":`, `}${after}`),
  );
  const items = schema.items ? placesIn(schema.items, `${before}[`, `]${after}`) : [];
  const alternatives = (schema.anyOf ?? []).flatMap((each) => placesIn(each, before, after));
  return [{ before, after, schema }, ...members, ...items, ...alternatives];
}

const endpoints = ROUTES.map((route) => router.match(route.method, route.path.replaceAll(/\{\w+\}/g, 'x')).endpoint);
const withBody = endpoints.filter(({ method }) => method === 'POST' || method === 'PATCH');
const find = (method, path) => endpoints.find((each) => each.method === method && each.path === path);

function tryBodies() {
  const createSession = find('POST', '/v1/sessions');
  for (const [name, text] of Object.entries(BODIES)) {
    const bytes = Buffer.from(text);
    if (bytes.length > MAX_BODY_BYTES) throw new Error(`The body of ${name} is too large.`);
    report(`body: ${name}`, () => readBody(createSession, bytes));
  }
  const createInstructor = find('POST', '/v1/instructors');
  const windows = `{"windows":[${'{"a":0},'.repeat(23)}{}]},`;
  for (const overrides of [filled(windows, '', '').slice(0, -100_000), windows.repeat(365)]) {
    const text = `{"availability_schedule":{"overrides":[${overrides.slice(0, overrides.lastIndexOf('},') + 2)}{}]}}`;
    report('body: wrong windows', () => readBody(createInstructor, Buffer.from(text)));
  }
}

const DOCUMENTATION_KEYWORDS = new Set(['description', 'examples', 'default']);
const kindOf = (name, value) => {
  if (name === '$ref') return 'id';
  return DOCUMENTATION_KEYWORDS.has(name) ? undefined : value;
};

function tryFields() {
  const seen = new Set();
  for (const endpoint of withBody) {
    for (const { before, after, schema } of placesIn(
      bodySchema(endpoint.operation, endpoint.params, endpoint.isPatch),
    )) {
      // Fields of one kind are read alike, wherever they are.
      const kind = JSON.stringify(schema, kindOf);
      if (before === '' || seen.has(kind)) continue;
      seen.add(kind);
      for (const [name, value] of Object.entries(VALUES)) {
        const bytes = Buffer.from(before + value + after);
        report(`${endpoint.method} ${endpoint.path} ${before} ${name}`, () => readBody(endpoint, bytes));
      }
    }
  }
}

function tryTargets() {
  const { endpoint } = router.match('GET', '/v1/instructors');
  for (const unit of ['a', '/', '%41', '%', '+', '&', 'a&', 'a=1&', '?', '..', '%00', 'search=', '[', '%E6%B0%B4']) {
    const long = unit.repeat(MAX_HEADER_BYTES / unit.length);
    report(`path: ${unit}`, () => router.match('GET', readTarget(`/v1/${long}`).path));
    report(`target: ${unit}`, () => readTarget(`http://${long}`));
    for (const name of ['', 'search=', 'cursor=', 'location=', 'available_date=', 'limit=']) {
      const { query } = readTarget(`/v1/instructors?${name}${long}`);
      report(`query: ${name}${unit}`, () => checkedInput(endpoint, [], Object.fromEntries(readQuery(query))));
    }
  }
}

function tryHeaders() {
  const trustedProxies = new BlockList();
  trustedProxies.addSubnet('0.0.0.0', 0);
  trustedProxies.addSubnet('::', 0, 'ipv6');
  const texts = [' ', 'a', ';', 'charset', '=', '"', ',', '[', '1.', '::', '1.1.1.1,', '::1,', '-', '00-'].flatMap(
    (unit) => {
      const long = unit.repeat(MAX_HEADER_BYTES / unit.length);
      return [long, `application/json${long}`, `application/json;${long}`, `00-${long}`, `[${long}]`];
    },
  );
  for (const text of texts) {
    const all = ['content-type', 'idempotency-key', 'traceparent', 'x-forwarded-for', 'content-encoding'];
    const headers = { ...Object.fromEntries(all.map((name) => [name, text])), 'content-length': '2' };
    const request = { headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: '127.0.0.1' } };
    report(`header: ${text.slice(0, 20)}`, () => {
      attempt(() => readIdempotencyKey(request));
      readTraceparent(request);
      clientAddress(request, trustedProxies);
      readRawBody({ ...request, off: () => request, on: () => request }).catch(() => undefined);
    });
  }
  for (const unit of [' ', ',', ';', ';q=', 'gzip;', '1', 'gzip,', '"', 'W/', 'a, ']) {
    for (const before of ['', 'gzip;q=0.', 'gzip']) {
      const long = `${before}${unit.repeat(MAX_HEADER_BYTES / unit.length)}x`;
      const headers = { 'accept-encoding': long, 'if-none-match': long };
      report(`header: ${long.slice(0, 20)}`, () => docs.representation(headers));
    }
  }
  const rawHeaders = Array.from({ length: 8_000 }, (_, index) => (index % 2 ? '' : 'host'));
  report('headers: many', () => checkHead({ rawHeaders, headers: { host: '' }, httpVersion: '1.1' }));
}

/** All that the gateway does with a message of the Model Context Protocol, the wait for a service left out. */
function answerMessage(bytes) {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    accept: 'application/json, text/event-stream',
  };
  const answer = { body: Buffer.from('{}'), pagination: null };
  return mcp.answer({
    request: Object.assign(Readable.from([bytes]), { headers }),
    target: { path: '/mcp', query: 'tools=all' },
    principal: { scopes: ['instructors:write', 'bookings:write'], accountId: 'x', env: 'test' },
    requestId: 'req_x',
    notes: [],
    dependencies: { calls: { request: async () => ({ answer, error: null }) }, log: { failed() {} } },
    relay() {},
  });
}

async function tryMessages() {
  const call = (name, text) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`;
  const messages = ['list_instructors', 'create_booking'].flatMap((name) =>
    Object.entries(BODIES).map(([title, text]) => [`${name} ${title}`, call(name, text)]),
  );
  messages.push(['tools/list', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}']);
  for (const [title, text] of messages) {
    const bytes = Buffer.from(text);
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least >= MOST_MS; tries++) {
      const before = process.threadCpuUsage();
      await answerMessage(bytes).catch(() => undefined);
      const { user, system } = process.threadCpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    console.log(JSON.stringify({ name: `mcp: ${title}`, ms: Math.round(least * 10) / 10 }));
  }
}

// What the same machine, at the same time, takes for work that nothing can save: shows how slow it is just now.
const text = filled('0,', '[', '0]');
// Systems count CPU time in steps of some milliseconds: of one reading, the least of several tries is often 0.
const READINGS = 10;
const readAll = () => {
  for (let reading = 0; reading < READINGS; reading++) JSON.parse(text);
};
console.log(JSON.stringify({ name: 'reference', ms: cpuMs(readAll, 1) / READINGS }));
tryBodies();
tryFields();
tryTargets();
tryHeaders();
await tryMessages();
