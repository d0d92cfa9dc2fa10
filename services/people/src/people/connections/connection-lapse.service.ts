import { Inject, Injectable } from '@nestjs/common';
import { findOwnChange } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { type AccountClock, offsetAt, shownDate, WhenDue } from '@swim/mongo';
import { Clock, LOGGER, type Logger, systemContext } from '@swim/platform';
import { ended } from './connection.rules.js';
import type { ConnectionDocument } from './connection.schema.js';
import { ConnectionSaga } from './connection-saga.service.js';
import { ConnectionsRepository } from './connections.repository.js';

/** Ends connections by time. */
@Injectable()
export class ConnectionLapse {
  constructor(
    readonly connections: ConnectionsRepository,
    private readonly saga: ConnectionSaga,
    private readonly clock: Clock,
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends a connection unless its account has done something meanwhile. */
  @WhenDue(({ connections }: ConnectionLapse) => connections.lapsing)
  async end({ _id, schoolId, accountId }: ConnectionDocument): Promise<void> {
    const pair = { schoolId, accountId };
    // Events of what it has booked may be late, and there is none of other changes of a booking.
    const { changedAt } = await this.rpc.call(findOwnChange, pair, systemContext(accountId));
    if (changedAt) await this.connections.prolong(pair, new Date(changedAt), true);
    const changed = await this.connections.change(systemContext(schoolId), _id, (now) => {
      if (!now.endsAt || now.endsAt > this.clock.now()) return null;
      return ended(now, 'time', { at: shownDate(now, this.clock.now()), notify: true });
    });
    if (changed?.document.dueAt) await this.saga.begin(changed.document);
  }

  /** Applies the clock of a test account; returns how many connections ended by it, and the next offset at which one does. */
  async applyClock(clock: AccountClock): Promise<{ handled: number; nextOffsetMs: number | null }> {
    await this.connections.applyClock(clock);
    const now = this.clock.now();
    const lapsing = await this.connections.findLapsingOf(clock.accountId);
    const due = lapsing.filter(({ endsAt }) => endsAt! <= now);
    let handled = 0;
    for (const each of due) {
      // The sweep retries what fails here.
      const isEnded = await this.end(each).then(
        () => true,
        (err: unknown) => void this.logger.error({ err, objectId: each._id }, 'connection not ended yet'),
      );
      if (isEnded) handled += 1;
    }
    const next = lapsing.flatMap((each) => (each.endsAt! > now ? offsetAt(each, each.endsAt!, now) : []));
    return { handled, nextOffsetMs: next.length === 0 ? null : Math.min(...next) };
  }
}
