import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { Databases, type DataMigration, DataMigrations, type MigratedBatch } from '@swim/mongo';
import type { EventDocument } from './event.schema.js';
import { type EventData, withoutFreeText } from './free-text.rules.js';

const BATCH = 500;

/** Removes free text from stored events: until this release the event of a cancelled session contained the reason. */
@Injectable()
export class FreeTextMigration implements DataMigration {
  readonly name = '0001-events-without-free-text';

  constructor(
    private readonly databases: Databases,
    migrations: DataMigrations,
  ) {
    migrations.register(this);
  }

  async migrate(env: Environment, after: string): Promise<MigratedBatch> {
    const events = this.databases.database(env).collection<Pick<EventDocument, '_id' | 'data'>>('events');
    const found = await events
      .find({ _id: { $gt: after } }, { projection: { data: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const rewritten = found.flatMap(({ _id, data }) => {
      const bare = JSON.stringify(withoutFreeText(JSON.parse(data) as EventData));
      return bare === data ? [] : [{ updateOne: { filter: { _id, data }, update: { $set: { data: bare } } } }];
    });
    if (rewritten.length > 0) await events.bulkWrite(rewritten, { ordered: false });
    return { last: found.at(-1)?._id ?? null, changed: rewritten.length };
  }
}
