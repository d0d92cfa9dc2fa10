import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ClosedSession, listClosedSessions, MOST_CLOSED_SESSIONS } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import { StoredEventsService } from '../../events/stored-events.service.js';
import { NewMessagesService } from '../new-messages.service.js';
import { closureNoticesOf } from '../notice.rules.js';
import type { DoneClosure } from './done-closure.schema.js';
import { DoneClosuresRepository } from './done-closures.repository.js';

/** Makes the messages about closures: one for each account and each instructor with cancelled sessions. */
@Injectable()
export class ClosureMessagesService implements OnModuleInit {
  constructor(
    private readonly events: StoredEventsService,
    private readonly closures: DoneClosuresRepository,
    private readonly messages: NewMessagesService,
    private readonly rpc: RpcClient,
  ) {}

  onModuleInit(): void {
    this.events.listen(async (events) => {
      const done = events.filter(({ type, isQuiet }) => type === 'closure.done' && !isQuiet);
      await Promise.all(done.map((event) => this.closures.add(event.read().data.object.id as string, event.account)));
    });
  }

  // The ids of the messages follow from the closure: a second run makes none twice.
  @WhenDue(({ closures }: ClosureMessagesService) => closures.unwritten)
  async write(closure: DoneClosure): Promise<void> {
    const { _id: closureId, accountId } = closure;
    const sessions: ClosedSession[] = [];
    let page: ClosedSession[];
    do {
      const after = sessions.at(-1)?.id ?? null;
      page = await this.rpc.call(listClosedSessions, { closureId, after }, systemContext(accountId));
      sessions.push(...page);
    } while (page.length === MOST_CLOSED_SESSIONS);
    await this.messages.storeAbout(closureId, closureNoticesOf(accountId, sessions));
    await this.closures.unwritten.end(closure);
  }
}
