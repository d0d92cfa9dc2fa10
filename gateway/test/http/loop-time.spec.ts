import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bodySchema, type JsonSchema } from '../../src/openapi/schemas.js';
import { paramsOf } from '../../src/router.js';
import { ROUTES } from '../../src/routes.js';

/** Longest that one request may keep the gateway from all others (contract, HTTP). */
const MOST_MS = 50;
/** What the reference takes on the machine of that figure; a slower one is given more. */
const REFERENCE_MS = 4;
const PROGRAM = fileURLToPath(new URL('./loop-time.mjs', import.meta.url));

describe('no request keeps the gateway from others for more than 50 ms', () => {
  let times: { name: string; ms: number }[];
  beforeAll(async () => {
    const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(child.exitCode).toBe(0);
    times = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }, 600_000);

  it.each(['body: ', 'POST ', 'PATCH ', 'path: ', 'target: ', 'query: ', 'header', 'mcp: '])('%s…', (kind) => {
    const [reference] = times;
    const mostMs = MOST_MS * Math.max(1, reference!.ms / REFERENCE_MS);
    const tried = times.filter(({ name }) => name.startsWith(kind));
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.filter(({ ms }) => ms > mostMs)).toEqual([]);
  });
});

it('every list in a body has a bound, which is checked before what is in it', () => {
  const withBody = ROUTES.filter(({ method }) => method === 'POST' || method === 'PATCH');
  const unbounded = withBody.flatMap(({ operation, method, path }) =>
    listsIn(bodySchema(operation, paramsOf(path), method === 'PATCH')).flatMap(([name, schema]) =>
      typeof schema.maxItems === 'number' ? [] : [`${method} ${path} ${name}`],
    ),
  );
  expect(unbounded).toEqual([]);
});

function listsIn(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const own: [string, JsonSchema][] = schema.type === 'array' ? [[path, schema]] : [];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => listsIn(member, `${path}.${name}`));
  const items = schema.items ? listsIn(schema.items as JsonSchema, `${path}[]`) : [];
  const alternatives = ((schema.anyOf as JsonSchema[] | undefined) ?? []).flatMap((each) => listsIn(each, path));
  return [...own, ...below, ...items, ...alternatives];
}
