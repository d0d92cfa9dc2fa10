import { Inject, Injectable } from '@nestjs/common';
import {
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { onceMore, Saga, type Step, WhenDue } from '@swim/mongo';
import { CONFIG, systemContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { KeyEndsService } from '../../identity/keys/key-ends.service.js';
import type { ErasureDocument } from './erasure.schema.js';
import { ErasuresRepository } from './erasures.repository.js';
import { PeopleErasureService } from './people-erasure.service.js';

type ErasureStep = Step<ErasureDocument>;
type ErasedElsewhere =
  | typeof eraseTimesOfAccount
  | typeof eraseBookingsOfAccount
  | typeof erasePaymentsOfAccount
  | typeof eraseEventsOfAccount;

/**
 * The erasure of an account: its requests end before its data are removed, and what others may read goes before the steps that wait:
 * for payments in progress, and for replicas that store events. The second round removes the results of work that had begun before.
 */
@Injectable()
export class ErasureSaga {
  private readonly ofAccount: Saga<ErasureDocument>;
  private readonly ofMember: Saga<ErasureDocument>;

  constructor(
    readonly erasures: ErasuresRepository,
    people: PeopleErasureService,
    keys: KeyEndsService,
    private readonly rpc: RpcClient,
    @Inject(CONFIG) { ERASURE_DRAIN_MS }: Config,
  ) {
    const round: ErasureStep[] = [
      {
        name: 'keys',
        run: async ({ accountId }) => {
          await keys.endAll(accountId);
          return true;
        },
      },
      { name: 'members', run: (erasure) => people.eraseMembers(erasure) },
      this.elsewhere('scheduling', eraseTimesOfAccount),
      this.elsewhere('booking', eraseBookingsOfAccount),
      { name: 'people', run: ({ accountId }) => people.eraseRest(accountId) },
      this.elsewhere('payment', erasePaymentsOfAccount),
      this.elsewhere('notification', eraseEventsOfAccount),
      { name: 'account', run: ({ accountId }) => people.emptyAccount(accountId) },
    ];
    this.ofAccount = new Saga(erasures.unfinished, [...round, ...onceMore(round, ERASURE_DRAIN_MS)]);
    this.ofMember = new Saga(erasures.unfinished, [
      { name: 'member', run: (erasure) => people.eraseMemberAgain(erasure) },
    ]);
  }

  @WhenDue(({ erasures }: ErasureSaga) => erasures.unfinished)
  goOn(erasure: ErasureDocument): Promise<void> {
    const saga = erasure._id === erasure.accountId ? this.ofAccount : this.ofMember;
    return saga.goOn(erasure);
  }

  private elsewhere(name: string, operation: ErasedElsewhere): ErasureStep {
    return {
      name,
      run: async ({ accountId }) => (await this.rpc.call(operation, { accountId }, systemContext(accountId))).done,
    };
  }
}
