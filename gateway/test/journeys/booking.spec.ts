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
  console.log('stop', performance.now() - t);
});

it('x', async () => {
  const family = await stack.open('family');
  console.log(await family.get('/sessions'), (await stack.school.get('/instructors')).text);
  let t = performance.now();
  const s = await stack.snapshot();
  console.log('snap', performance.now() - t, Object.keys(s));
});
