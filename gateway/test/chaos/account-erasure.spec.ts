import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICES } from '@swim/contracts';
import { apiError, expectStatus } from '../journeys/fixtures/customer.js';
import { expectNoneStored, openAcquaintance, storeData, untilErased } from '../journeys/fixtures/personal-data.js';
import { Stack } from '../journeys/fixtures/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ ERASURE_DRAIN_MS: '500' });
});
afterAll(() => stack?.stop());

it('an erasure ends though each service, with two replicas, is killed and started anew', async () => {
  const accounts = await openAcquaintance(stack, 'canary');
  const { family, school } = accounts;
  const { member } = await storeData(accounts);
  await Promise.all(SERVICES.map((name) => stack.add(name)));
  expectStatus(204, await family.delete(`/accounts/${family.id}`));
  for (const name of SERVICES) {
    await stack.kill(name);
    await stack.add(name);
  }
  await untilErased(stack, family);
  expect(await school.get(`/members/${member.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
  await expectNoneStored(stack, 'canary', '(Kid|contact|notes|words|Family|metadata|request)|CANARY@family');
}, 600_000);
