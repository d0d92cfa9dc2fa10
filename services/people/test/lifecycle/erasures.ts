import {
  eraseAccount,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
  type Principal,
  restoreAccount,
} from '@swim/contracts';
import { aPrincipal, type RequestOptions, until } from '@swim/testing';
import { openAccounts, type PeopleHarness } from '../harness.js';

/** The requests by which the other services erase what is theirs, in order. */
export const OTHERS = [
  eraseTimesOfAccount,
  eraseBookingsOfAccount,
  erasePaymentsOfAccount,
  eraseEventsOfAccount,
] as const;

/** Accounts of a running service of people that are made and erased. */
export class Erasures {
  constructor(private readonly people: PeopleHarness) {}

  async anAccount(overrides: Partial<Principal> = {}): Promise<Principal> {
    const principal = aPrincipal(overrides);
    await openAccounts(this.people.service, [principal]);
    return principal;
  }

  erase(principal: Principal, options: RequestOptions = {}) {
    const input = { account_id: principal.accountId };
    return this.people.harness.call(eraseAccount, input, { principal, ...options });
  }

  restore(principal: Principal, options: RequestOptions = {}) {
    const input = { account_id: principal.accountId };
    return this.people.harness.call(restoreAccount, input, { principal, ...options });
  }

  stored(collection: string, filter: object, env = 'test') {
    return this.people.harness.database(`people_${env}`).collection(collection).find(filter).toArray();
  }

  isErased({ accountId, env }: Principal) {
    const isDone = async () => (await this.stored('erasures', { _id: accountId, step: null }, env)).length === 1;
    return until(isDone, 'the erasure is done');
  }
}
