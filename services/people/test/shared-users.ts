import { afterAll, beforeAll } from '@jest/globals';
import { UserHarness } from './user-harness.js';

/** The service and its users, which all tests of a spec file share. */
export let users: UserHarness;
/** Requests an operation of `users`. */
export let call: UserHarness['people']['harness']['call'];

beforeAll(async () => {
  users = await UserHarness.start();
  call = users.people.harness.call;
});
afterAll(() => users?.stop());
