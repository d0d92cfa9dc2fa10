import { Injectable } from '@nestjs/common';
import {
  addDemoMethod,
  addDemoPool,
  createInstructor,
  createMember,
  DEMO_MEMBERS,
  demoInstructors,
  type IdPrefix,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, derivedId, lowestIdAt, type RequestContext } from '@swim/platform';
import type { RunningReset } from '../accounts/account-resets.service.js';
import { InstructorsService } from '../instructors/instructors.service.js';
import { MembersService } from '../members/members.service.js';

const EXPECTED: readonly string[] = ['already_exists', 'limit_reached', 'resource_not_found'];

/** Makes the demo data of a test account: of a school a pool and instructors, of a family members and a card. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly members: MembersService,
    private readonly instructors: InstructorsService,
    private readonly rpc: RpcClient,
  ) {}

  /** Idempotent: the ids follow from the reset. */
  async add({ accountId, kind, before }: RunningReset, context: RequestContext): Promise<void> {
    // In the order of lists.
    const madeAt = (ordinal: number) => new Date(before.getTime() + ordinal);
    const idOf = (prefix: IdPrefix, ordinal = 0) =>
      derivedId(prefix, lowestIdAt('req', madeAt(ordinal)), `demo ${accountId}`);
    const making = (ordinal: number): RequestContext => ({
      ...context,
      principal: { ...context.principal, kind },
      newId: (prefix) => idOf(prefix, ordinal),
    });
    if (kind === 'school') {
      const poolId = idOf('pool');
      await this.rpc.call(addDemoPool, { accountId, id: poolId }, context);
      for (const [ordinal, instructor] of demoInstructors(poolId).entries())
        await unlessMade(this.instructors.create(createInstructor.input.parse(instructor), making(ordinal)));
      return;
    }
    for (const [ordinal, member] of DEMO_MEMBERS.entries()) {
      const input = createMember.input.parse({ account_id: accountId, ...member });
      await unlessMade(this.members.create(input, making(ordinal)));
    }
    await unlessMade(this.rpc.call(addDemoMethod, { accountId, id: idOf('pm') }, context));
  }
}

/** Clients that did not wait for the reset may have made what stands in the way, or erased what an earlier run had made. */
async function unlessMade(made: Promise<unknown>): Promise<void> {
  await made.catch((error: unknown) => {
    if (!(error instanceof AppError && EXPECTED.includes(error.reason))) throw error;
  });
}
