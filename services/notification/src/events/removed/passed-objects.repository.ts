import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type PassedObject, passedObjectSchema } from './passed-object.schema.js';

const SCOPE = asSystem('positions of objects belong to no account');

/** Storage of the positions of objects' events that no stored event shows. */
@Injectable()
export class PassedObjectsRepository extends Repository<PassedObject> {
  constructor(databases: Databases) {
    super(databases.collection('passed_objects', passedObjectSchema));
  }

  /** The positions of those of these objects that have one: all events up to it have been consumed. */
  async findPositions(objectIds: readonly string[]): Promise<Map<string, number>> {
    const found = await this.lookUpAll(SCOPE, objectIds);
    return new Map(found.map(({ _id, n }) => [_id, n]));
  }

  /** Marks these events as consumed; marks only increase. */
  async mark(events: readonly { objectId: string; n: number }[]): Promise<void> {
    const highest = new Map<string, number>();
    for (const { objectId, n } of events) highest.set(objectId, Math.max(n, highest.get(objectId) ?? 0));
    for (const [objectId, n] of highest) await this.raise(objectId, n);
  }

  private async raise(objectId: string, n: number): Promise<void> {
    if (await this.tryInsert(SCOPE, { _id: objectId, n })) return;
    await this.update(SCOPE, { _id: objectId, n: { $lt: n } }, { $set: { n } });
  }
}
