import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, type RequestContext } from '@swim/platform';
import { hasTimeFor } from './account-remains.js';

// So many that their consequences would take the time that the rest of the work needs.
const MANY = 100;

/** The ids to erase, and how to erase one. */
export interface Erasable {
  find: () => Promise<string[]>;
  erase: (id: string, context: RequestContext) => Promise<unknown>;
  /** What `erase` leaves undone in a context that `isBulk`. */
  afterMany?: (ids: string[], context: RequestContext) => Promise<void>;
}

/** Runs an erasure in batches within a deadline. */
@Injectable()
export class ErasureTurns {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /**
   * Erases all ids that `find` returns, batch by batch; returns whether all are done. A failing one does not block the others.
   */
  async take({ find, erase, afterMany }: Erasable, context: RequestContext): Promise<boolean> {
    let known = '';
    for (;;) {
      const ids = await find();
      if (ids.length === 0) return true;
      // The same batch again: each of them has to wait.
      if (ids.join() === known) return false;
      known = ids.join();
      if (!hasTimeFor(context.deadline)) return false;
      // All of a batch at once: what they write in one turn of the event loop shares a command.
      const failed = (error: unknown, objectId: string) => this.logger.warn({ err: error, objectId }, 'not erased yet');
      const work = { ...context, isBulk: ids.length >= MANY };
      await Promise.all(ids.map((id) => erase(id, work).catch((error: unknown) => failed(error, id))));
      if (work.isBulk) await afterMany?.(ids, work);
    }
  }
}
