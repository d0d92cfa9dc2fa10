import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { PATIENCE_MS, Stack } from './stack.js';

jest.setTimeout(PATIENCE_MS);
let stack: Stack;
beforeAll(async () => {
  const t = performance.now();
  stack = await Stack.start();
  console.log('start', performance.now() - t);
});
afterAll(async () => {
  const t = performance.now();
  await stack?.stop();
  await new Promise((r) => setTimeout(r, 1500)); const { inspect } = await import('node:util'); console.log('stop', (process as any)._getActiveHandles().slice(3,5).map((h: any) => inspect(h, {depth: 2})).join('\n=====\n'));
});

it('x', async () => {
  const family = await stack.open('family');
  console.log(await family.get('/sessions'), (await stack.school.get('/instructors')).text);
  let t = performance.now();
  const s = await stack.snapshot();
  console.log('snap', performance.now() - t, Object.keys(s));
});
