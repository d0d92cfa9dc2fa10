import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, type RequestContext } from '@swim/platform';
import { hasTimeFor } from './account-remains.js';

/** What is to be erased, and how one of it is. */
export interface Erasable {
  find: () => Promise<string[]>;
  erase: (id: string) => Promise<unknown>;
}

/** Does an erasure in turns that fit into a deadline. */
@Injectable()
export class ErasureTurns {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Goes through what `find` finds, batch by batch; whether all was done in time. One that fails keeps none of the others. */
  async take({ find, erase }: Erasable, context: RequestContext): Promise<boolean> {
    let known = '';
    for (;;) {
      const ids = await find();
      if (ids.length === 0) return true;
      // The same again: each of them has to wait for something.
      if (ids.join() === known) return false;
      known = ids.join();
      for (const id of ids) {
        if (!hasTimeFor(context.deadline)) return false;
        await erase(id).catch((error: unknown) => this.logger.warn({ err: error, objectId: id }, 'not erased yet'));
      }
    }
  }
}
