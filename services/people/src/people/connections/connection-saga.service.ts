import { Inject, Injectable } from '@nestjs/common';
import { cancelUnconnected } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { Saga, WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, systemContext } from '@swim/platform';
import { UnclaimedAccounts } from '../../identity/accounts/unclaimed-accounts.service.js';
import { PupilsService } from '../members/pupils.service.js';
import type { ConnectionDocument } from './connection.schema.js';
import { ConnectionsRepository, FIRST_STEP } from './connections.repository.js';

const AGAIN_MS = 50;
// A request that changes a connection runs its parts for this long; with the last part it lasts less than a request may.
const REQUEST_MS = 2_000;
/** More than scheduling uses before it answers that there is more to do. */
const PART_MS = 6_000;

/**
 * What follows from a change of a connection: first the right of the school, which members carry, then the lessons that are void, and at
 * its end the account that nobody has claimed. A step of an earlier revision than that of another run changes nothing.
 */
@Injectable()
export class ConnectionSaga {
  private readonly saga: Saga<ConnectionDocument>;

  constructor(
    readonly connections: ConnectionsRepository,
    private readonly pupils: PupilsService,
    private readonly accounts: UnclaimedAccounts,
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const steps = [
      { name: FIRST_STEP, run: (connection: ConnectionDocument) => this.setRights(connection) },
      { name: 'lessons', run: (connection: ConnectionDocument) => this.cancelVoid(connection) },
      { name: 'account', run: (connection: ConnectionDocument) => this.settleAccount(connection) },
    ];
    this.saga = new Saga(connections.unfinished, steps, { againMs: AGAIN_MS });
  }

  /** Gives the school its right, and takes it, before it returns; the lessons follow, at most for some seconds within the request. */
  async begin(connection: ConnectionDocument): Promise<void> {
    try {
      await this.connections.unfinished.handle(connection, (own) => this.saga.goOn(own, REQUEST_MS));
    } catch (err) {
      if (connection.step === FIRST_STEP) throw err;
      this.logger.warn({ err, objectId: connection._id }, 'lessons of a connection not cancelled yet');
    }
  }

  @WhenDue(({ connections }: ConnectionSaga) => connections.unfinished)
  goOn(connection: ConnectionDocument): Promise<void> {
    return this.saga.goOn(connection);
  }

  private async setRights(connection: ConnectionDocument): Promise<boolean> {
    const { schoolId: id, accountId, status, memberIds, left, generation, rev: revision } = connection;
    const named = new Set(status === 'active' ? memberIds : []);
    const unnamed = [...memberIds, ...left.map(({ memberId }) => memberId)].filter((each) => !named.has(each));
    await this.pupils.setRights(accountId, { named, unnamed }, { id, generation, revision });
    return true;
  }

  /**
   * An account that a school makes is complete once its connection is stored. The end of the connection erases the account, unless somebody
   * has claimed it.
   */
  private async settleAccount({ schoolId, accountId, status, origin }: ConnectionDocument): Promise<boolean> {
    if (status === 'ended') await this.accounts.erase(accountId, schoolId);
    else if (origin === 'school') await this.accounts.markMade(accountId);
    return true;
  }

  private async cancelVoid(connection: ConnectionDocument): Promise<boolean> {
    const { schoolId, accountId, generation, cancelled, end, left } = connection;
    if (cancelled === generation || (!end && left.length === 0)) return true;
    // What time ends is cancelled as by the school.
    const by = end?.by === 'family' ? ('family' as const) : ('school' as const);
    const input = { schoolId, accountId, generation, end: end && { ...end, by }, left };
    const { done } = await this.rpc.call(cancelUnconnected, input, systemContext(accountId, PART_MS));
    return done && this.connections.unfinished.renew(connection, { cancelled: generation });
  }
}
