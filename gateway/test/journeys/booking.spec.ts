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
  await new Promise((r) => setTimeout(r, 1500)); console.log('stop', process.getActiveResourcesInfo(), (process as any)._getActiveHandles().map((h: any) => [h.constructor.name, h.remoteAddress, h.remotePort, h.localPort, h.destroyed, h.hasRef?.(), h.listening]));
});

it('x', async () => {
  const family = await stack.open('family');
  console.log(await family.get('/sessions'), (await stack.school.get('/instructors')).text);
  let t = performance.now();
  const s = await stack.snapshot();
  console.log('snap', performance.now() - t, Object.keys(s));
});
